import { expect, test } from "vitest";
import { aLine, claims, reverse, reversedOf, rowOfLine, useLineReversals } from "./line-reversing.ts";
import { aCredit } from "./reversing.ts";

/** A payout of ours that the bank executed late is an outgoing line in no match, and is taken from no merchant. */

await useLineReversals();
const AMOUNT = 250_073n;
const SESSION = "00002326112209300000000000010";
const aPayout = (
  named_by: "reference" | "session" | "beneficiary",
  given: { account_number?: string; others?: string[] } = {},
) => ({
  payout: {
    ...{ merchant_id: "mer_1", reference: "trf_1", account_number: "0123456789", status: "failed" as const, named_by },
    ...given,
  },
});

test.each(["pending", "success", "failed", "reversed"] as const)(
  "a line that names a payout takes nothing back, also one that is %s, whatever else it names and the operators say",
  async (status) => {
    const session_id = `${SESSION}${status.length}`;
    const { transfer, intakeId } = await aCredit({ session_id });
    const { payout } = aPayout("reference");
    const named = { session_id, references: [transfer.id], payout: { ...payout, status } };
    const line = aLine(-AMOUNT, named);
    expect(await reverse(line, intakeId, AMOUNT)).toBe("line_is_payout");
    expect(await reverse(line, intakeId, AMOUNT, "trf_1")).toBe("line_is_payout");
    expect([claims.has(line), await rowOfLine(line), await reversedOf(transfer)]).toEqual([false, undefined, 0n]);
    expect(await reverse(aLine(-AMOUNT, { ...named, payout: null }), intakeId, AMOUNT)).toBe("accepted");
  },
);

test("a line with the session of a payout takes back what it names, and nothing else", async () => {
  const { transfer, intakeId } = await aCredit();
  const given = aPayout("session");
  expect(await reverse(aLine(-AMOUNT, given), intakeId, AMOUNT)).toBe("line_is_payout");
  expect(await reverse(aLine(-AMOUNT, { ...given, narration: `RVSL x${transfer.id}` }), intakeId, AMOUNT)).toBe(
    "line_is_payout",
  );
  expect(await reverse(aLine(-AMOUNT, { ...given, narration: `RVSL/${transfer.id}/ADA` }), intakeId, AMOUNT)).toBe(
    "accepted",
  );
});

test("a line that may be a payout by its amount and account takes back what it names, or what two operators say in spite of that payout", async () => {
  const session_id = `${SESSION}9`;
  const [one, other] = [await aCredit({ session_id }), await aCredit()];
  const given = aPayout("beneficiary");
  const line = aLine(-AMOUNT, given);
  expect(await reverse(line, other.intakeId, AMOUNT)).toBe("line_may_be_payout");
  expect(await reverse(line, other.intakeId, AMOUNT, "trf_2")).toBe("line_may_be_payout");
  expect(await reversedOf(other.transfer)).toBe(0n);
  expect(await reverse(line, other.intakeId, AMOUNT, "trf_1")).toBe("accepted");
  expect(await reverse(line, other.intakeId, AMOUNT)).toBe("duplicate");
  expect(await reverse(aLine(-AMOUNT, { ...given, session_id }), one.intakeId, AMOUNT)).toBe("accepted");
});

test("a line that may be one of several payouts takes a credit back only if it is said to be none of them", async () => {
  const { intakeId } = await aCredit();
  const line = aLine(-AMOUNT, aPayout("beneficiary", { others: ["trf_2", "trf_3"] }));
  expect(await reverse(line, intakeId, AMOUNT, "trf_1")).toBe("line_may_be_payout");
  expect(await reverse(line, intakeId, AMOUNT, "trf_1", "trf_2")).toBe("line_may_be_payout");
  expect(await reverse(line, intakeId, AMOUNT, "trf_1", "trf_2", "trf_3")).toBe("accepted");
});

test.each(["beneficiary", "session"] as const)(
  "a payout to the account of the credit has the credit's session, which is no proof then: where the line names it by its %s",
  async (by) => {
    const session_id = `${SESSION}${by.length}8`;
    const { transfer, intakeId } = await aCredit({ session_id });
    const line = aLine(-AMOUNT, { ...aPayout(by, { account_number: transfer.account_number }), session_id });
    expect(await reverse(line, intakeId, AMOUNT)).toBe("line_may_be_payout");
    expect(await reverse(line, intakeId, AMOUNT, "trf_1")).toBe("accepted");
  },
);
