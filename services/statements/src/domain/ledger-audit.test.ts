import { expect, test } from "vitest";
import { auditItem, auditObstacle, type LedgerAudit } from "./ledger-audit.ts";

const END = "2026-10-01T23:00:00.000+00:00";
const found = (...where: string[]): LedgerAudit => ({
  proven_at: "2026-10-02T08:00:00.000+00:00",
  differences: where.map((each) => ({ what: "the chain is broken", where: each })),
});
const REASON = { reason: "of the drill", explained_by: "ada", charge: null, is_own: false };
const codeOf = (audit: LedgerAudit, explanation: typeof REASON | undefined = undefined) =>
  auditObstacle(audit, { items: auditItem(audit).map((item) => ({ ...item, explanation })), end: END })?.code ?? "none";

test("a ledger that contradicts itself stops a day until a person gives a reason, and one that does not say it stops none", () => {
  expect([codeOf(found("a")), codeOf(found("a"), REASON), codeOf(found())]).toEqual(["ledger_differs", "none", "none"]);
  expect([codeOf(undefined), auditItem(undefined)]).toEqual(["none", []]);
});

test("a ledger that has not proven itself since the day ended stops the day, whatever the reasons", () => {
  const old = { ...found("a"), proven_at: "2026-10-01T22:59:59.999+00:00" } as LedgerAudit;
  expect([codeOf(old, REASON), codeOf({ proven_at: null, differences: [] })]).toEqual([
    "ledger_not_proven",
    "ledger_not_proven",
  ]);
});

test("a reason is for what was found, in whichever order, and not for what is found later", () => {
  const keyOf = (audit: LedgerAudit) => auditItem(audit)[0]?.key;
  expect(keyOf(found("a", "b"))).toBe(keyOf(found("b", "a")));
  expect(keyOf(found("a"))).not.toBe(keyOf(found("a", "b")));
  expect(auditItem(found("a", "b", "c", "d"))[0]?.what).toBe(
    "the ledger's self-audit found 4 differences; the chain is broken (a); the chain is broken (b); the chain is broken (c)",
  );
});
