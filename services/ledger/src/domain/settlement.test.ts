import fc from "fast-check";
import { expect, test } from "vitest";
import {
  DEFAULT_SETTLEMENT_SCHEDULE,
  latestCutOff,
  minutesOf,
  nextSettlement,
  settlementOf,
  settlementTransaction,
  timeOf,
} from "./settlement.ts";

const DAY_MS = 86_400_000;
const schedules = fc.record({ delayDays: fc.integer({ min: 1, max: 30 }), atMinutes: fc.nat({ max: 1439 }) });
const times = fc.date({ min: new Date("2020-01-01"), max: new Date("2060-01-01"), noInvalidDate: true });

const cutOff = (now: string, schedule = DEFAULT_SETTLEMENT_SCHEDULE) => latestCutOff(new Date(now), schedule);

test.each([
  ["at 06:00 all of yesterday is due", "2026-11-21T06:00:00.000+01:00", "2026-11-21T00:00:00.000+01:00"],
  ["just before 06:00 only the day before", "2026-11-21T05:59:59.999+01:00", "2026-11-20T00:00:00.000+01:00"],
  ["it does not change during the day", "2026-11-21T23:59:59.999+01:00", "2026-11-21T00:00:00.000+01:00"],
  ["midnight changes nothing", "2026-11-22T00:00:00.000+01:00", "2026-11-21T00:00:00.000+01:00"],
  ["the day is a Lagos day", "2026-11-21T05:00:00.000Z", "2026-11-20T23:00:00.000Z"],
  ["over the end of a month and a leap day", "2028-03-01T06:00:00.000+01:00", "2028-03-01T00:00:00.000+01:00"],
  ["in the European summer too", "2026-07-01T06:00:00.000+01:00", "2026-07-01T00:00:00.000+01:00"],
])("T+1 at 06:00 in Lagos: %s", (_, now, expected) => {
  expect(cutOff(now)).toEqual(new Date(expected));
});

test.each([
  ["2026-11-21T13:30:00.000+01:00", { delayDays: 3, atMinutes: minutesOf("13:30") }, "2026-11-19T00:00:00.000+01:00"],
  ["2026-11-21T13:29:59.999+01:00", { delayDays: 3, atMinutes: minutesOf("13:30") }, "2026-11-18T00:00:00.000+01:00"],
  ["2026-11-21T00:00:00.000+01:00", { delayDays: 1, atMinutes: 0 }, "2026-11-21T00:00:00.000+01:00"],
  ["2026-11-20T23:59:59.999+01:00", { delayDays: 1, atMinutes: 0 }, "2026-11-20T00:00:00.000+01:00"],
  ["2026-11-21T23:59:00.000+01:00", { delayDays: 1, atMinutes: minutesOf("23:59") }, "2026-11-21T00:00:00.000+01:00"],
])("at %s a schedule of %j covers everything before %s", (now, schedule, expected) => {
  expect(cutOff(now, schedule)).toEqual(new Date(expected));
});

test("a Lagos day matches the time zone database", () => {
  const lagos = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", dateStyle: "short", timeStyle: "medium" });
  fc.assert(
    fc.property(times, (now) => lagos.format(latestCutOff(now, DEFAULT_SETTLEMENT_SCHEDULE)).endsWith("00:00:00")),
  );
});

test("a cut-off is never in the future and never moves back as time passes", () => {
  fc.assert(
    fc.property(schedules, times, fc.nat(), (schedule, now, laterMs) => {
      const [first, then] = [now, new Date(now.getTime() + laterMs)].map((time) =>
        latestCutOff(time, schedule).getTime(),
      );
      expect(first).toBeLessThanOrEqual(now.getTime());
      expect(then).toBeGreaterThanOrEqual(first ?? Number.NaN);
    }),
  );
});

test("times of day convert to minutes and back", () => {
  for (const time of ["00:00", "06:00", "09:05", "23:59"]) expect(timeOf(minutesOf(time))).toBe(time);
});

test("a settlement moves Collected to Settled, under a key of its merchant, mode and cut-off", () => {
  const merchant = { id: "mer_1", mode: "test" } as const;
  expect(settlementTransaction({ merchant, amount: 990n, cutOff: "2026-11-20T23:00:00.000000+00:00" })).toMatchObject({
    key: "settlement:test:mer_1:2026-11-20T23:00:00.000000+00:00",
    kind: "settlement",
    amount: 990n,
    fee: 0n,
    legs: [
      { account: "test:collected:mer_1", amount: 990n },
      { account: "test:settled:mer_1", amount: -990n },
    ],
  });
});

test("the next settlement is the first instant after now with a later cut-off", () => {
  fc.assert(
    fc.property(times, schedules, (now, schedule) => {
      const next = nextSettlement(now, schedule);
      expect(next > now && next.getTime() - now.getTime() <= DAY_MS).toBe(true);
      const before = new Date(next.getTime() - 1);
      expect(latestCutOff(before, schedule)).toEqual(latestCutOff(now, schedule));
      expect(latestCutOff(next, schedule)).not.toEqual(latestCutOff(now, schedule));
    }),
  );
});

test("money is settled at the first cut-off after it was recorded, and not a millisecond earlier", () => {
  fc.assert(
    fc.property(times, schedules, (recordedAt, schedule) => {
      const due = settlementOf(recordedAt, schedule);
      expect(latestCutOff(due, schedule).getTime()).toBeGreaterThan(recordedAt.getTime());
      const before = new Date(due.getTime() - 1);
      expect(latestCutOff(before, schedule).getTime()).toBeLessThanOrEqual(recordedAt.getTime());
    }),
  );
});
