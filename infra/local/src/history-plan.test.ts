import { expect, test } from "vitest";
import { historyCustomers, historyTransfers } from "./history-plan.ts";

const plan = (until: string, count = 2_000) =>
  historyTransfers({ customers: historyCustomers(), count, days: 28, until: new Date(until), prefix: "h" });

test("the same end gives the same history: oldest first, within the period, never after the end", () => {
  const until = "2026-11-21T14:30:00.000Z";
  const transfers = plan(until);
  expect(plan(until)).toEqual(transfers);
  const times = transfers.map(({ paid_at }) => Date.parse(paid_at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(Date.parse(until) - 28 * 86_400_000);
  expect(times.at(-1)).toBeLessThanOrEqual(Date.parse(until));
});

test.each(["2026-11-21T14:30:00.000Z", "2026-11-25T02:10:00.000Z"])(
  "ending at %s, nights and Sundays in Lagos are quiet",
  (until) => {
    const inLagos = plan(until).map(({ paid_at }) => new Date(Date.parse(paid_at) + 3_600_000));
    const share = (is: (time: Date) => boolean) => inLagos.filter(is).length / inLagos.length;
    expect(share((time) => time.getUTCHours() < 7 || time.getUTCHours() >= 22)).toBeLessThan(0.15);
    expect(share((time) => time.getUTCDay() === 0)).toBeLessThan(0.08);
  },
);
