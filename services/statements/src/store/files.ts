import { type Pool, query, type Session } from "@collect/database";

const put = query(`
  insert into file_parts (hash, part, data, put_by) values ($1, $2, decode($3, 'base64'), $4)
  on conflict (hash, part) do update set data = excluded.data, put_at = clock_timestamp(), put_by = excluded.put_by`);
/** A part that is sent again takes the place of the former one. */
export const putPart = (
  tx: Session,
  { hash, part, data, by }: { hash: string; part: number; data: string; by: string },
) => put(tx, [hash, part, data, by]);

const lock = query("select pg_advisory_xact_lock(hashtext('file_parts'))");
/** Until the end of the transaction no other part is put. */
export const lockParts = (tx: Session) => lock(tx);

const waiting = query<{ all: bigint; own: bigint }>(`
  select coalesce(sum(length(data)), 0)::bigint as all, coalesce(sum(length(data)) filter (where put_by = $3), 0)::bigint as own
  from file_parts where (hash, part) <> ($1, $2)`);
/** The bytes that wait beside this part: of all, and of this person. */
export async function bytesWaiting(tx: Session, { hash, part, by }: { hash: string; part: number; by: string }) {
  const [row] = await waiting(tx, [hash, part, by]);
  return row ?? { all: 0n, own: 0n };
}

const read = query<{ data: Buffer }>("select data from file_parts where hash = $1 order by part limit $2");
/** As far as the parts are there. */
export async function readParts(pool: Pool, hash: string, parts: number): Promise<Uint8Array> {
  return Buffer.concat((await read(pool, [hash, parts])).map(({ data }) => data));
}

const remove = query("delete from file_parts where hash = $1");
export const removeParts = (pool: Pool, hash: string) => remove(pool, [hash]);

const removeOld = query<{ hash: string }>(`
  delete from file_parts where (hash, part) in
    (select hash, part from file_parts where put_at < now() - interval '1 hour' order by put_at limit $1)
  returning hash`);
export const deleteParts = async (pool: Session, { max }: { max: number }) => (await removeOld(pool, [max])).length;

const lockAll = query("select pg_advisory_xact_lock(hashtext('imports'))");
/** Until the end of the transaction no other file is imported, and no statement withdrawn. */
export const lockImports = (tx: Session) => lockAll(tx);

const claim = query<{ hash: string }>(`
  insert into files (hash, name, imported_by) values ($1, $2, $3) on conflict (hash) do nothing returning hash`);

/** Whether the file is new. Waits for another import of the same file. */
export async function claimFile(tx: Session, file: { hash: string; name: string; by: string }): Promise<boolean> {
  return (await claim(tx, [file.hash, file.name, file.by])).length > 0;
}

const known = query<{ hash: string }>("select hash from files where hash = $1");
export const isKnown = async (pool: Pool, hash: string) => (await known(pool, [hash])).length > 0;
