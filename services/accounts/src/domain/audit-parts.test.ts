import { auditFault } from "@collect/contracts";
import { expect, test } from "vitest";
import { type AuditState, accountsParts } from "./audit-parts.ts";

const NOW = "2026-11-21T10:00:00.000+00:00";
const state: AuditState = {
  now: NOW,
  proven_at: NOW,
  recent_from: NOW,
  recent_to: NOW,
  recent_age_s: 2,
  walked_at: NOW,
  walked_to: null,
  walk_age_s: 3,
  walk_ended_at: null,
  differences: [],
  waiting: [],
  unfinished: [],
  quarantined: [],
  reversals: {
    ...{ proven_at: NOW, age_s: 2, last_round: 0n, last_round_at: NOW },
    ...{ differences: [], last_differences: [] },
  },
  overdueReversals: { count: 0, oldest_admitted_at: null },
};
const faults = (given: Partial<AuditState>) =>
  accountsParts({ ...state, ...given }).flatMap((part) => {
    const fault = auditFault(part);
    return fault ? [`${part.name} ${fault}`] : [];
  });

test("every part holds while it is recent, and money in flight or quarantined is not a fault", () => {
  expect(faults({})).toEqual([]);
  const unfinished = [{ mode: "live" as const, count: 5, overdue: 0, oldest_received_at: NOW }];
  expect(
    faults({ unfinished, quarantined: [{ mode: "live", count: 1 }], waiting: [{ reason: "under_way", count: 3 }] }),
  ).toEqual([]);
});

test.each<[Partial<AuditState>, RegExp]>([
  [{ recent_age_s: 61 }, /^recent money in is too old/],
  [{ recent_age_s: null }, /^recent money in has not been proven/],
  [{ walk_age_s: 301 }, /^history is too old/],
  [{ reversals: { ...state.reversals, age_s: 301 } }, /^reversals is too old/],
  [{ reversals: { ...state.reversals, age_s: null } }, /^reversals has not been proven/],
  [
    { reversals: { ...state.reversals, last_differences: [{ what: "no", where: "there" }] } },
    /^reversals does not hold/,
  ],
  [{ overdueReversals: { count: 1, oldest_admitted_at: NOW } }, /^reversals does not hold/],
  [
    { unfinished: [{ mode: "live", count: 20, overdue: 20, oldest_received_at: NOW }] },
    /^unfinished money in does not hold/,
  ],
])("%o fails its part", (given, fault) => {
  expect(faults(given)).toEqual([expect.stringMatching(fault)]);
});

test("a difference names the transfer and its merchant, or the minute and the digests that differ", () => {
  const minute = { mode: "live" as const, kind: "collection", minute: NOW, what: ["fee"] };
  const transfers = [{ intake_id: "int_1", merchant_id: "mer_1", what: ["fee or net: payments differs from ledger"] }];
  const [recent] = accountsParts({
    ...state,
    differences: [
      { ...minute, transfers },
      { ...minute, transfers: [] },
    ],
  });
  expect(recent).toMatchObject({
    holds: false,
    differences: [
      { what: "fee or net: payments differs from ledger", where: `live collection of ${NOW}, int_1 of merchant mer_1` },
      { what: "the services differ in fee", where: `live collection of ${NOW}` },
    ],
  });
});
