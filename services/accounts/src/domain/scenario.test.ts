import { isNuban } from "@collect/bank";
import { BANK_SCENARIOS, RECEIVER_SCENARIOS } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { assertPlayable, receiverOf, reportsOf, type ScenarioFields } from "./scenario.ts";

const NOW = new Date("2026-11-23T12:00:00.000Z");
const MERCHANT = { id: "mer_1", mode: "test" } as const;
const fields = (given: Partial<ScenarioFields> = {}): ScenarioFields => ({
  name: "reported_twice",
  seed: 7,
  account_number: "0000000419",
  amount: undefined,
  paid_at: undefined,
  times: undefined,
  ...given,
});
const reports = (given: Partial<ScenarioFields> = {}, merchant: { id: string; mode: "test" } = MERCHANT) =>
  reportsOf(merchant, fields(given), NOW);
const idOf = (...given: Parameters<typeof reports>) => reports(...given)[0]?.bankTransferId;

describe("what the bank reports", () => {
  test("twice: the same transfer", () => {
    const [first, second, ...more] = reports();
    expect([second, more]).toEqual([first, []]);
    expect(first?.paidAt).toBeNull();
  });

  test("late: a day after the payment, or what the caller says", () => {
    expect(reports({ name: "reported_late" })).toMatchObject([{ paidAt: "2026-11-22T12:00:00.000+00:00" }]);
    const paid_at = "2026-11-01T10:00:00+01:00";
    expect(reports({ name: "reported_late", paid_at })).toMatchObject([{ paidAt: "2026-11-01T09:00:00.000+00:00" }]);
  });

  test("out of order: three transfers, the latest first, a minute apart", () => {
    const three = reports({ name: "reported_out_of_order" });
    expect(three.map(({ paidAt }) => paidAt?.slice(11, 19))).toEqual(["12:00:00", "11:59:00", "11:58:00"]);
    expect(new Set(three.map(({ bankTransferId }) => bankTransferId)).size).toBe(3);
    expect(new Set(three.map(({ amount }) => amount)).size).toBe(3);
    expect(reports({ name: "reported_out_of_order", amount: 500n }).map(({ amount }) => amount)).toEqual(
      Array(3).fill(500n),
    );
  });

  test("with another amount: the same id, one naira more", () => {
    const [first, second] = reports({ name: "reported_with_another_amount", amount: 250_073n });
    expect([first?.amount, second?.amount]).toEqual([250_073n, 250_173n]);
    expect(second?.bankTransferId).toBe(first?.bankTransferId);
  });

  test("then reversed: all of it is taken back, under an id of its own that names the transfer", () => {
    const [first, second] = reports({ name: "reported_then_reversed", amount: 250_073n });
    expect(second).toMatchObject({ type: "reversal", amount: 250_073n, reverses: first?.bankTransferId });
    expect(second?.bankTransferId).not.toBe(first?.bankTransferId);
  });

  test.each(RECEIVER_SCENARIOS)("%s: one transfer, and what the merchant's server does, once by default", (name) => {
    expect(reports({ name })).toHaveLength(1);
    expect(receiverOf(fields({ name }))).toEqual({ response: name, times: 1 });
    expect(receiverOf(fields({ name, times: 3 }))).toEqual({ response: name, times: 3 });
  });

  test.each(BANK_SCENARIOS)("%s: the merchant's server is left alone", (name) => {
    expect(receiverOf(fields({ name }))).toBeUndefined();
  });
});

describe("the seed", () => {
  test("gives the same payer and amount to every merchant and account, and other ones with another seed", () => {
    const values = (seed: number, account_number: string) =>
      reports({ seed, account_number }, { ...MERCHANT, id: account_number })[0];
    const [one, same, other] = [values(7, "0000000419"), values(7, "0000000402"), values(8, "0000000419")];
    expect([same?.amount, same?.payer]).toEqual([one?.amount, one?.payer]);
    expect([other?.amount, other?.payer]).not.toEqual([one?.amount, one?.payer]);
  });

  test("gives amounts of ₦1,000 to ₦100,000 and payers with a possible account", () => {
    for (let seed = 0; seed < 500; seed++) {
      const [{ amount, payer } = { amount: 0n, payer: undefined }] = reports({ seed });
      expect(amount).toSatisfy((kobo) => kobo >= 100_000n && kobo <= 10_000_000n);
      expect(isNuban("044", payer?.accountNumber ?? "") || payer?.bankName !== "Access Bank").toBe(true);
    }
  });

  test("identifies the run with all fields, by their meaning", () => {
    const paid_at = "2026-11-22T12:00:00+00:00";
    const runs: [Partial<ScenarioFields>, ...{ id: string; mode: "test" }[]][] = [
      [{}],
      [{}, { id: "mer_2", mode: "test" }],
      [{ seed: 8 }],
      [{ name: "reported_late" }],
      [{ account_number: "0000000402" }],
      [{ amount: 100n }],
      [{ paid_at }],
      [{ name: "receiver_fails" }],
      [{ name: "receiver_fails", times: 2 }],
    ];
    expect(new Set(runs.map((run) => idOf(...run))).size).toBe(runs.length);
    expect(idOf({ paid_at: "2026-11-22T13:00:00.000+01:00" })).toBe(idOf({ paid_at }));
    expect(idOf({ name: "receiver_fails", times: 1 })).toBe(idOf({ name: "receiver_fails" }));
  });
});

test.each([
  ["a time in the future", { paid_at: "2026-11-23T12:00:00.001+00:00" }, "paid_at", "too_late"],
  ["a time more than 400 days ago", { paid_at: "2025-10-19T11:59:59+00:00" }, "paid_at", "too_early"],
  ["an amount above the limit of a payment", { amount: 1_000_000_000_001n }, "amount", "too_big"],
  ["times without attempts to deliver", { times: 2 }, "times", "not_allowed"],
] as const)("%s is refused by name", (_what, given, param, code) => {
  const refusal = expect.objectContaining({
    code: "validation_failed",
    errors: [expect.objectContaining({ param, code })],
  });
  expect(() => assertPlayable(fields(given), NOW)).toThrow(refusal);
  expect(() => assertPlayable(fields({ amount: 1_000_000_000_000n, paid_at: NOW.toISOString() }), NOW)).not.toThrow();
});
