import type { Mode } from "@collect/contracts";
import { columns, type Pool, statement, transaction } from "@collect/database";
import type { Count, Held, HeldMinute } from "../domain/completeness.ts";

type Span = { from: string; to: string };

/** So many are shown: they tell where to look. */
const SHOWN_MAX = 500;

type Round = { now: string; walked_to: string | null; began_at: string | null };

/** The next round is this replica's, unless it is not due yet or another has it. Nothing is locked while it lasts. */
const claim = statement<Round>(`
  update audit_proofs set next_at = now() + make_interval(secs => $1) where next_at <= now()
  returning now() as now, walked_to, began_at`);
export async function claimRound(pool: Pool, everyMs: number): Promise<Round | undefined> {
  const [round] = await claim(pool, [everyMs / 1_000]);
  return round;
}

/** A round that was not finished is due again. */
const release = statement("update audit_proofs set next_at = now()");
export const releaseRound = (pool: Pool) => release(pool);

const prove = statement(
  "update audit_proofs set proven_at = clock_timestamp(), proven_from = $1, proven_to = $2, compared = $3::jsonb",
);
export const storeProof = (pool: Pool, { from, to }: Span, compared: HeldMinute[]) =>
  prove(pool, [from, to, toJson(compared)]);

const walk = statement("update audit_proofs set walked_to = $1");
export const storeWalkedTo = (pool: Pool, walkedTo: string) => walk(pool, [walkedTo]);

type Proof = { proven_at: string | null; proven_from: string | null; proven_to: string | null };
const proof = statement<Proof & { compared: Row[] }>(
  "select proven_at, proven_from, proven_to, compared from audit_proofs",
);
export async function readProof(pool: Pool): Promise<Proof & { compared: HeldMinute[] }> {
  const [row] = await proof(pool);
  if (!row) throw new Error("audit_proofs has lost its row");
  return { ...row, compared: row.compared.map((minute) => ({ ...minute, held: fromJson(minute.held) })) };
}

const forget = statement("delete from audit_differences where minute >= $1 and minute < $2");
const insert = statement(`
  insert into audit_differences (minute, mode, kind, held)
  select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::jsonb[])
  on conflict (minute, mode, kind) do update set held = excluded.held, compared_at = excluded.compared_at`);

/** What differs in a window, instead of what differed there before. */
export function replaceDifferences(pool: Pool, { from, to }: Span, differences: HeldMinute[]): Promise<void> {
  const rows = differences.map((difference) => ({ ...difference, held: toJson(difference.held) }));
  return transaction(pool, async (tx) => {
    await forget(tx, [from, to]);
    if (rows.length > 0) await insert(tx, columns(rows, "minute", "mode", "kind", "held"));
  });
}

type Row = { mode: Mode; kind: HeldMinute["kind"]; minute: string; held: JsonHeld };
const list = statement<Row>(
  `select mode, kind, minute, held from audit_differences order by minute desc, mode, kind limit ${SHOWN_MAX}`,
);
export async function readDifferences(pool: Pool): Promise<HeldMinute[]> {
  const rows = await list(pool);
  return rows.map((row) => ({ ...row, held: fromJson(row.held) }));
}

/** Minutes that differed before a time: those first that were compared longest ago. */
const stale = statement<{ minute: string }>(`
  select min(minute) as minute from audit_differences where minute < $1
  group by date_trunc('hour', minute, 'UTC') order by min(compared_at) limit $2`);
export async function differingHours(pool: Pool, before: string, limit: number): Promise<string[]> {
  const rows = await stale(pool, [before, limit]);
  return rows.map(({ minute }) => minute);
}

const unfinished = statement<{ mode: Mode; count: number; oldest_received_at: string }>(`
  select mode, count(*)::integer as count, min(received_at) as oldest_received_at
  from inbound_transfers where completed_at is null group by mode order by mode`);
export const readUnfinished = (pool: Pool) => unfinished(pool);

/** Kobo in digits, because JSON numbers lose precision. */
type JsonCount = { count: number; sum: string };
type JsonHeld = { accounts: JsonCount; ledger: JsonCount; payments: JsonCount | null; webhooks: JsonCount | null };

const toJson = (held: Held | HeldMinute[]): string =>
  JSON.stringify(held, (_key, value) => (typeof value === "bigint" ? value.toString() : value));

function fromJson({ accounts, ledger, payments, webhooks }: JsonHeld): Held {
  return {
    accounts: parsed(accounts),
    ledger: parsed(ledger),
    payments: payments && parsed(payments),
    webhooks: webhooks && parsed(webhooks),
  };
}

const parsed = ({ count, sum }: JsonCount): Count => ({ count, sum: BigInt(sum) });
