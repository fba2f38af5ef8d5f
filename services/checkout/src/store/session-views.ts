import { SessionSnapshot } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";
import type { Copy } from "../domain/freshness.ts";

type Row = { snapshot: unknown; refreshed_at: string };

const UPSERT = `
  insert into session_views as known (reference, version, snapshot, refreshed_at)
  select reference, version, snapshot, clock_timestamp()
  from unnest($1::text[], $2::bigint[], $3::jsonb[]) as incoming (reference, version, snapshot)
  order by reference
  on conflict (reference) do update set`;

const applyNewer = statement(`${UPSERT}
    version = excluded.version, snapshot = excluded.snapshot, refreshed_at = excluded.refreshed_at
  where known.version < excluded.version`);

/** Applies the snapshots of events, in any order: only a newer version changes a copy. */
export async function applyNewerSnapshots(session: Session, snapshots: SessionSnapshot[]): Promise<void> {
  await applyNewer(session, valuesOf(snapshots));
}

const refresh = statement<Row>(`${UPSERT}
    version = greatest(known.version, excluded.version),
    snapshot = case when known.version < excluded.version then excluded.snapshot else known.snapshot end,
    refreshed_at = excluded.refreshed_at
  returning snapshot, refreshed_at`);

/**
 * Stores a response of payments, which also confirms a copy of the same version. Returns the stored copies, which an
 * event may have made newer.
 */
export async function refreshSnapshots(session: Session, snapshots: SessionSnapshot[]): Promise<Copy[]> {
  return (await refresh(session, valuesOf(snapshots))).map(copyOf);
}

const select = statement<Row>("select snapshot, refreshed_at from session_views where reference = $1");

export async function findCopy(pool: Pool, reference: string): Promise<Copy | undefined> {
  const [row] = await select(pool, [reference]);
  return row && copyOf(row);
}

const selectSince = statement<Row & { reference: string }>(`
  select reference, snapshot, refreshed_at from session_views
  where refreshed_at >= $1 and refreshed_at is not null and reference > $2 order by reference limit $3`);

/** A page of the copies that were received or confirmed since then, in the order of their references. */
export async function copiesSince(
  pool: Pool,
  { since, after, limit }: { since: string; after: string; limit: number },
): Promise<SessionSnapshot[]> {
  return (await selectSince(pool, [since, after, limit])).map(({ snapshot }) => SessionSnapshot.parse(snapshot));
}

function valuesOf(snapshots: SessionSnapshot[]): unknown[][] {
  const rows = snapshots.map((snapshot) => ({ ...snapshot, wire: JSON.stringify(SessionSnapshot.encode(snapshot)) }));
  return columns(rows, "reference", "version", "wire");
}

const copyOf = ({ snapshot, refreshed_at }: Row): Copy => ({
  snapshot: SessionSnapshot.parse(snapshot),
  refreshedAt: refreshed_at,
});

const deleteUnused = statement<{ reference: string }>(`
  delete from session_views where reference = any (array(
    select reference from session_views where refreshed_at < clock_timestamp() - $1 * interval '1 day' limit $2
    for update skip locked))
  returning reference`);

/** Deletes copies that were not confirmed for as long; payments has the sessions. Returns how many. */
export const deleteCopies = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await deleteUnused(pool, [days, max])).length;
