import { createHash } from "node:crypto";
import type { ExplainedItem } from "./groups.ts";
import type { Item } from "./sheet.ts";

/** What the ledger says of itself. Of one of the release before nothing is known. */
export type LedgerAudit = { proven_at: string | null; differences: { what: string; where: string }[] } | undefined;

const KEY = "audit:";
const SHOWN = 3;

/**
 * What the ledger contradicts itself in is an item of the day, of no amount: errors that cancel each other out are in no balance. Its key says what was
 * found, so a reason is for that, and for nothing that is found later.
 */
export function auditItem(audit: LedgerAudit): (Item & { what: string })[] {
  const found = (audit?.differences ?? []).map(({ what, where }) => `${what} (${where})`).toSorted();
  if (found.length === 0) return [];
  const digest = createHash("sha256").update(JSON.stringify(found)).digest("base64url");
  const what = [`the ledger's self-audit found ${found.length} differences`, ...found.slice(0, SHOWN)].join("; ");
  return [{ key: `${KEY}${digest}`, class: "ledger", account: null, amount: 0n, isSettled: false, by: null, what }];
}

export type AuditObstacle = { code: "ledger_differs" | "ledger_not_proven"; message: string };

/** Why a day that ended then cannot be closed against this ledger; null if it can. */
export function auditObstacle(audit: LedgerAudit, { items, end }: { items: ExplainedItem[]; end: string }) {
  if (!audit) return null;
  const open = items.find(({ key, explanation }) => key.startsWith(KEY) && !explanation);
  if (open)
    return refusal("ledger_differs", "The ledger's self-audit found differences: mend the ledger, or give a reason.");
  if (audit.proven_at === null || Date.parse(audit.proven_at) < Date.parse(end))
    return refusal(
      "ledger_not_proven",
      "The ledger's self-audit has not proven all that was posted by the end of the day.",
    );
  return null;
}

const refusal = (code: AuditObstacle["code"], message: string): AuditObstacle => ({ code, message });
