import type { PayoutPartner, PayoutState } from "@collect/bank";
import { expect, test } from "vitest";
import { mostCertain, partnersToAsk } from "./payout-partners.ts";

const aPartner = (id: string): PayoutPartner => ({
  ...{ id, name: id, check: async () => [] },
  payouts: {} as PayoutPartner["payouts"],
});
const [own, other, third] = [aPartner("729"), aPartner("other"), aPartner("third")];
const partners = { all: [own, other, third], standard: other };
const asked = (partner: string | null, hasRecovered = false) =>
  partnersToAsk(partners, { partner }, { hasRecovered }).map(({ id }) => id);

test("only the partner that a transfer was sent to is asked about it, whichever sends now", () => {
  expect(asked("729")).toEqual(["729"]);
  expect(asked("third")).toEqual(["third"]);
});

test("every partner is asked about a transfer of which it is not certain where it was sent", () => {
  expect(asked(null)).toEqual(["other", "729", "third"]);
  expect(asked("third", true)).toEqual(["third", "729", "other"]);
});

test("no other partner is asked in place of one that is not configured any more", () => {
  for (const hasRecovered of [false, true]) expect(() => asked("gone", hasRecovered)).toThrow("gone");
});

test("an end counts before a payout in progress, and that before one that the bank may not have", () => {
  const state = (status: PayoutState["status"]) => ({ status, failureCode: null, failureReason: null });
  const pending = { partner: own, state: state("pending") };
  const ended = { partner: other, state: state("success") };
  const uncertain = { partner: third, state: { ...state("pending"), isUncertain: true } as const };
  expect(mostCertain([uncertain, pending, ended])).toEqual({ ...ended, candidates: [other] });
  expect(mostCertain([uncertain, pending])).toEqual({ ...pending, candidates: [own] });
  expect(mostCertain([uncertain])).toEqual({ ...uncertain, candidates: [third] });
  expect(mostCertain([])).toBeUndefined();
});

test("each partner that may have a payout is a candidate while none says that it does", () => {
  const uncertain = { status: "pending", failureCode: null, failureReason: null, isUncertain: true } as const;
  const answers = [own, other].map((partner) => ({ partner, state: uncertain }));
  expect(mostCertain(answers)?.candidates).toEqual([own, other]);
});
