import { type Acts, answer, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import {
  browseAuditLog,
  browseAuditLogs,
  concludeAct,
  decodeCursor,
  exportAuditLog,
  exportAuditLogs,
  type Input,
  importActs,
  instantOf,
  listWebhookActs,
  Problem,
  recordAct,
  toPage,
  UtcInstant,
  verifyAuditLog,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { chainOf, type NewEntry } from "../domain/audit-chain.ts";
import {
  allEntries,
  append,
  type BrowsedEntry,
  browseActs,
  browseAllActs,
  chainsAfter,
  exportedEntries,
  recordAct as record,
  type WebhookActRow,
  wasAdmitted,
  webhookActs,
} from "../store/audit-log.ts";
import type { ChainQueue } from "../use-cases/chain-queue.ts";
import { verifyChain } from "../use-cases/verify-chain.ts";

const EXPORT_PAGE = 500;
const CHAINS_PAGE = 20;
const Cursor = [z.string().regex(/^\d{1,18}$/)];
const Detail = z.record(z.string(), z.unknown());

/** The audit log: acts are recorded, read and proved; nothing changes one. */
export function auditLogRequests({ pool, inChain, acts }: { pool: Pool; inChain: ChainQueue; acts: Acts }): Request[] {
  return [
    answer(recordAct, (act, context) => {
      if (context.actor.kind !== "member") throw notAuthenticated();
      return inChain(chainOf(act), (tx) => record(tx, { ...act, ...context, outcome: "unknown" }));
    }),
    answer(concludeAct, async (conclusion, context) => {
      await acts.conclude(conclusion, context);
      return {};
    }),
    answer(importActs, async ({ acts }) => {
      const entries = await Promise.all(acts.map((act) => imported(pool, act)));
      for (const [chain, chained] of Map.groupBy(entries, chainOf))
        await inChain(chain, (tx) => append(tx, chain, chained));
      return {};
    }),

    answer(browseAuditLog, async ({ merchant, limit, after }) => {
      const [before] = decodeCursor(after, Cursor) ?? [];
      const rows = await browseActs(pool, merchant.id, { before, rows: limit + 1 });
      return toPage(rows, { limit, cursor: ({ seq }) => [seq], toResponse });
    }),

    answer(browseAuditLogs, async ({ merchant_id, limit, after }) => {
      const [at, chain, seq] = decodeCursor(after, [UtcInstant, z.string(), ...Cursor]) ?? [];
      const rows = merchant_id
        ? await browseActs(pool, merchant_id, { before: seq, rows: limit + 1 })
        : await browseAllActs(pool, { before: at && seq ? { at, chain: chain ?? "", seq } : null, rows: limit + 1 });
      return toPage(rows, { limit, cursor: ({ at, chain, seq }) => [at, chain, seq], toResponse });
    }),

    answer(exportAuditLog, async ({ merchant_id, from, to, after }) => {
      const span = { chain: merchant_id ?? "", seq: after, rows: EXPORT_PAGE, from, to };
      const entries = await exportedEntries(pool, span);
      return { entries, next: entries.length === EXPORT_PAGE ? (entries.at(-1)?.seq ?? null) : null };
    }),

    answer(exportAuditLogs, async ({ from, to, after }) => {
      const entries = await allEntries(pool, { from, to, after, rows: EXPORT_PAGE });
      const last = entries.length === EXPORT_PAGE ? entries.at(-1) : undefined;
      return { entries, next: last ? { at: last.at, chain: last.chain, seq: last.seq } : null };
    }),

    answer(listWebhookActs, async ({ since, after }) => {
      const [chain = "", seq = ""] = after?.key.split(" ") ?? [];
      const place = after && { at: after.at, chain, seq };
      const rows = await webhookActs(pool, { since, after: place, rows: ROWS_A_MESSAGE });
      const last = rows.length === ROWS_A_MESSAGE ? rows.at(-1) : undefined;
      return { rows: rows.map(withoutNumber), next: last ? { at: last.at, key: keyOf(last) } : null };
    }),

    answer(verifyAuditLog, async ({ chain, head, after }) => {
      const names = chain === undefined ? await chainsAfter(pool, after, CHAINS_PAGE) : [{ chain }];
      const chains = [];
      for (const { chain } of names) chains.push(await verifyChain(pool, chain, head));
      const next = chain === undefined && names.length === CHAINS_PAGE ? (names.at(-1)?.chain ?? null) : null;
      return { chains, next };
    }),
  ];
}

type Imported = Input<typeof importActs>["acts"][number];

/** An operator whose signature was not admitted for it does not become the actor: it is what the dashboard says. */
async function imported(
  pool: Pool,
  { at: given, request_id: requestId, actor: stated, ...act }: Imported,
): Promise<NewEntry> {
  const at = instantOf(new Date(given));
  const isProven =
    stated.kind !== "operator" ||
    (await wasAdmitted(pool, { at, operator: stated.name, action: act.action, requestId }));
  return { ...act, requestId, at, actor: isProven ? stated : { kind: "system", service: "dashboard" } };
}

const notAuthenticated = () =>
  new Problem(
    "invalid_operator",
    "Only a member's act is recorded on the dashboard's word. An operator's is recorded with the operator's signature.",
  );

/** A merchant's chain has its name. */
const keyOf = ({ merchant_id, seq }: WebhookActRow): string => `${merchant_id} ${seq}`;
const withoutNumber = ({ seq: _, ...act }: WebhookActRow) => act;

const toResponse = ({ seq, actor_kind, actor_id, actor_label, detail, ...entry }: BrowsedEntry) => ({
  id: seq.toString(),
  merchant_id: entry.merchant_id,
  ...{ at: entry.at, mode: entry.mode, action: entry.action, outcome: entry.outcome },
  actor: { kind: actor_kind, id: actor_id, label: actor_label },
  detail: Detail.parse(JSON.parse(detail)),
});
