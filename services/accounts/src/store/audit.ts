import { columns, type Pool, statement, transaction } from "@collect/database";
import type { Counts, DifferingTransfer, MinuteCounts } from "../domain/completeness.ts";

type Span = { from: string; to: string };

/** The number of differences returned: they show where to look. */
const SHOWN_MAX = 500;

/** The progress of each part of the comparison. */
export type Round = {
  now: string;
  began_at: string | null;
  recent_from: string | null;
  recent_to: string | null;
  walked_to: string | null;
  walk_ended_at: string | null;
  ledger_position: string | null;
};
const ROUND = "began_at, recent_from, recent_to, walked_to, walk_ended_at, ledger_position";

/** Claims the next round if it is due and not claimed by another replica. Nothing is locked during the round. */
const claim = statement<Round>(`
  update audit_proofs set next_at = now() + make_interval(secs => $1) where next_at <= now()
  returning now() as now, ${ROUND}`);
export async function claimRound(pool: Pool, everyMs: number): Promise<Round | undefined> {
  const [round] = await claim(pool, [everyMs / 1_000]);
  return round;
}

/** Makes an unfinished round due again. */
const release = statement("update audit_proofs set next_at = now()");
export const releaseRound = (pool: Pool) => release(pool);

const proveRecent = statement(`
  update audit_proofs set proven_at = clock_timestamp(), recent_from = coalesce(recent_from, $1), recent_to = $2,
    proven_from = coalesce(recent_from, $1), proven_to = $2`);
export const storeRecent = (pool: Pool, { from, to }: Span) => proveRecent(pool, [from, to]);

/** Null restarts the walk. */
const walk = statement(`
  update audit_proofs set walked_to = $1, walked_at = clock_timestamp(),
    walk_ended_at = case when $1::timestamptz is null then clock_timestamp() else walk_ended_at end`);
export const storeWalkedTo = (pool: Pool, walkedTo: string | null) => walk(pool, [walkedTo]);

const setPosition = statement("update audit_proofs set ledger_position = $1");
export const storeLedgerPosition = (pool: Pool, position: string) => setPosition(pool, [position]);

export type Proof = Round & {
  proven_at: string | null;
  walked_at: string | null;
  recent_age_s: number | null;
  walk_age_s: number | null;
};
const proof = statement<Proof>(`
  select now() as now, ${ROUND}, proven_at, walked_at,
    extract(epoch from clock_timestamp() - recent_to)::integer as recent_age_s,
    extract(epoch from clock_timestamp() - walked_at)::integer as walk_age_s
  from audit_proofs`);
export async function readProof(pool: Pool): Promise<Proof> {
  const [row] = await proof(pool);
  if (!row) throw new Error("audit_proofs has lost its row");
  return row;
}

/** A minute that differs: the values, and the transfers concerned, as far as they were found. */
export type Difference = MinuteCounts & { what: string[]; transfers: DifferingTransfer[] };
/** The result of a comparison: minutes that differ, and minutes with transfers in flight. */
export type Found = { differences: Difference[]; inFlight: string[] };

const clear = statement("delete from audit_differences where minute >= $1 and minute < $2");
const unqueue = statement("delete from audit_minutes where minute >= $1 and minute < $2");
const insert = statement(`
  insert into audit_differences (minute, mode, kind, held, what, transfers)
  select minute, mode, kind, held, string_to_array(what, ','), transfers
  from unnest($1::timestamptz[], $2::text[], $3::text[], $4::jsonb[], $5::text[], $6::jsonb[])
    as d (minute, mode, kind, held, what, transfers)
  on conflict (minute, mode, kind) do update
    set held = excluded.held, what = excluded.what, transfers = excluded.transfers, compared_at = excluded.compared_at`);
const queue = statement(`
  insert into audit_minutes (minute, reason) select * from unnest($1::timestamptz[], $2::text[])
  on conflict (minute) do update set reason = excluded.reason, compared_at = excluded.compared_at`);

/** Stores the result of a window. For whole minutes it replaces the previous result; for a partial minute it only adds. */
export function storeFound(pool: Pool, { from, to }: Span, { isWhole, ...found }: Found & { isWhole: boolean }) {
  const rows = found.differences.map(({ held, what, transfers, ...minute }) => ({
    ...minute,
    held: toJson(held),
    what: what.join(","),
    transfers: JSON.stringify(transfers),
  }));
  const reasons = new Map([
    ...found.inFlight.map((minute) => [minute, "under_way"] as const),
    ...found.differences.map(({ minute }) => [minute, "differs"] as const),
  ]);
  return transaction(pool, async (tx) => {
    if (isWhole) {
      await clear(tx, [from, to]);
      await unqueue(tx, [from, to]);
    }
    if (rows.length > 0) await insert(tx, columns(rows, "minute", "mode", "kind", "held", "what", "transfers"));
    if (reasons.size > 0) await queue(tx, [[...reasons.keys()], [...reasons.values()]]);
  });
}

const queuePosted = statement(`
  insert into audit_minutes (minute, reason, compared_at) select minute, 'posted', '-infinity' from unnest($1::timestamptz[]) as m (minute)
  on conflict (minute) do nothing`);
/** Minutes with postings after their comparison: they are first in the queue. */
export const queueMinutes = (pool: Pool, minutes: string[]) => queuePosted(pool, [minutes]);

/** Minutes to compare again, the least recently compared first. They include differences stored by the previous release. */
const stale = statement<{ minute: string }>(`
  select minute from (
    (select minute, compared_at from audit_minutes order by compared_at limit $1)
    union all
    (select minute, compared_at from audit_differences as d
     where not exists (select from audit_minutes as m where m.minute = d.minute) limit $1)
  ) as minutes
  group by minute order by min(compared_at) limit $1`);
export async function minutesToRecheck(pool: Pool, limit: number): Promise<string[]> {
  return (await stale(pool, [limit])).map(({ minute }) => minute);
}

type Row = Omit<Difference, "held"> & { held: JsonCounts };
const list = statement<Row>(
  `select mode, kind, minute, held, what, transfers from audit_differences order by minute desc, mode, kind limit ${SHOWN_MAX}`,
);
export async function readDifferences(pool: Pool): Promise<Difference[]> {
  const rows = await list(pool);
  return rows.map((row) => ({ ...row, held: fromJson(row.held) }));
}

export type Waiting = { reason: string; count: number };
const waiting = statement<Waiting>("select reason, count(*)::integer as count from audit_minutes group by reason");
export const readWaiting = (pool: Pool) => waiting(pool);

/** Kobo as strings, because JSON numbers lose precision. A release that stored no digests compared none. */
type JsonCount = { count: number; sum: string; digests?: Record<string, string> };
type JsonCounts = { accounts: JsonCount; ledger: JsonCount; payments: JsonCount | null; webhooks: JsonCount | null };

const toJson = (held: Counts): string =>
  JSON.stringify(held, (_key, value) => (typeof value === "bigint" ? value.toString() : value));

function fromJson({ accounts, ledger, payments, webhooks }: JsonCounts): Counts {
  return {
    accounts: parsed(accounts),
    ledger: parsed(ledger),
    payments: payments && parsed(payments),
    webhooks: webhooks && parsed(webhooks),
  };
}

const parsed = ({ count, sum, digests = {} }: JsonCount) => ({ count, sum: BigInt(sum), digests });
