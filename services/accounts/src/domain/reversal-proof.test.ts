import type { AuditedReversal } from "@collect/contracts";
import { expect, test } from "vitest";
import { type OwnReversal, type Records, reversalDifferences } from "./reversal-proof.ts";

const own = (given: Partial<OwnReversal> = {}): OwnReversal => ({
  ...{ reversalId: "int_1", merchantId: "mer_1", mode: "live", amount: 100n },
  ...{ isAdmitted: true, isAllocated: false, isComplete: true, isClosed: false, ...given },
});
const row = (kind: AuditedReversal["kind"], given: Partial<AuditedReversal> = {}): AuditedReversal => ({
  ...{ reversal_id: "int_1", kind, mode: "live", amount: 100n },
  ...{ merchant_id: kind === "suspense_reversal" ? null : "mer_1", ...given },
});
const ALL: Records = { ledger: [row("collection_reversal")], payments: [row("reversal")], webhooks: [row("reversal")] };
const NONE: Records = { ledger: [], payments: [], webhooks: [] };
const found = (reversal: OwnReversal | undefined, records: Records, after = reversal) => {
  const list = (one: OwnReversal | undefined) => (one ? [one] : []);
  return reversalDifferences({ before: list(reversal), after: list(after), records }).map(({ what }) => what);
};

test("a reversal has one transaction, one record and one event; in suspense a transaction only; allocated since, two", () => {
  expect(found(own(), ALL)).toEqual([]);
  const suspense = [row("suspense_reversal")];
  expect(found(own({ merchantId: null }), { ...NONE, ledger: suspense })).toEqual([]);
  const both = [row("allocation_reversal"), ...suspense];
  expect(found(own({ isAllocated: true }), { ...ALL, ledger: both })).toEqual([]);
  expect(found(own({ isAllocated: true }), { ...ALL, ledger: suspense })).toEqual([
    "ledger has suspense_reversal of it, instead of allocation_reversal and suspense_reversal",
  ]);
});

test.each(["ledger", "payments", "webhooks"] as const)(
  "%s that lost it, has it twice or otherwise, is named",
  (service) => {
    const [record] = ALL[service];
    if (!record) throw new Error("no record");
    const of = (...rows: AuditedReversal[]) => found(own(), { ...ALL, [service]: rows });
    expect(of()).toEqual([expect.stringMatching(`^${service} has nothing of it`)]);
    expect(of(record, record)).toHaveLength(1);
    for (const other of [{ amount: 99n }, { merchant_id: "mer_2" }, { mode: "test" as const }])
      expect(of({ ...record, ...other })).toEqual([`${service} has another merchant, mode or amount`]);
  },
);

test("what accounts does not have, or has not admitted, no other service may have", () => {
  const three = [expect.stringMatching("^ledger "), expect.stringMatching("^payments "), expect.stringMatching("^web")];
  expect(found(undefined, ALL)).toEqual(three);
  const waiting = own({ isAdmitted: false, isComplete: false, merchantId: null });
  expect(found(waiting, NONE)).toEqual([]);
  expect(found(waiting, ALL)).toEqual(three);
});

test("of a closed one the ledger has what it contradicts at most, and the others what the ledger booked of a merchant's", () => {
  const closed = own({ isClosed: true });
  const named = (services: string[]) => services.map((service) => `${service} does not have it as a closed one`);
  expect(found(closed, NONE)).toEqual([]);
  expect(found(closed, { ...NONE, ledger: [row("suspense_reversal")] })).toEqual([]);
  expect(found(closed, ALL)).toEqual(named(["ledger"]));
  expect(found(closed, { ...ALL, ledger: [] })).toEqual(named(["payments", "webhooks"]));
  const ofSuspense = own({ isClosed: true, merchantId: null });
  expect(found(ofSuspense, ALL)).toEqual([]);
  expect(found(ofSuspense, { ...NONE, ledger: ALL.ledger })).toEqual(named(["payments", "webhooks"]));
  expect(found(ofSuspense, { ...NONE, ledger: [row("suspense_reversal")] })).toEqual(named(["ledger"]));
  expect(found(own(), NONE, closed)).toEqual([]);
});

test("what is on its way, or was admitted, completed or allocated while the others were asked, is left to the next round", () => {
  const way = own({ isComplete: false });
  expect(found(way, NONE)).toEqual([]);
  expect(found(way, NONE, own())).toEqual([]);
  expect(found(own(), NONE, way)).toEqual([]);
  expect(found(undefined, ALL, way)).toEqual([]);
  expect(found(own({ merchantId: null }), ALL, own({ isAllocated: true }))).toEqual([]);
});
