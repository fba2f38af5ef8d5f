import { expect, test } from "vitest";
import { gaps, timeToRecover, undelivered } from "./arrivals.ts";
import type { Delivered, Reported } from "./observations.ts";

const paidAtMs = Date.parse("2026-11-21T09:30:00.000Z");
const reported = (accountNumber: string, acknowledgedAt: number | undefined): Reported => ({
  id: accountNumber,
  merchant: 0,
  accountNumber,
  amount: 10_050,
  paidAtMs,
  firstSentAt: 0,
  acknowledgedAt,
  session: undefined,
});
const delivered = (account_number: string, sequence: number, at: number): Delivered => ({
  merchant: 0,
  mode: "live",
  event: "collection.success",
  sequence,
  number: sequence,
  hash: "",
  at,
  data: { reference: "", amount: 100.5, account_number, paid_at: "2026-11-21T09:30:00.000+00:00" },
});

test("recovery lasts until the last transfer that was acknowledged before the end of a fault is delivered", () => {
  const observations = {
    reported: [reported("a", 10), reported("b", 90), reported("c", 110)],
    delivered: [delivered("a", 1, 20), delivered("b", 2, 350), delivered("b", 2, 900), delivered("c", 3, 950)],
  };
  expect(timeToRecover(observations, 100)).toBe(250);
  expect(timeToRecover(observations, 50)).toBe(0);
});

test("an acknowledged transfer that is never delivered is reported, and there is no recovery time", () => {
  const observations = { reported: [reported("a", 10), reported("b", undefined)], delivered: [] };
  expect(undelivered(observations).map(({ id }) => id)).toEqual(["a"]);
  expect(timeToRecover(observations, 100)).toBeUndefined();
});

test("a number that a merchant never received is a gap, despite repeats and reordering", () => {
  const got = [delivered("d", 4, 0), delivered("a", 1, 0), delivered("a", 1, 0), delivered("b", 2, 0)];
  expect(gaps(got)).toEqual([{ merchant: 0, mode: "live", missing: [3] }]);
});
