import { type Pool, query, type Session } from "@collect/database";

const put = query(`
  insert into file_parts (hash, part, data) values ($1, $2, decode($3, 'base64'))
  on conflict (hash, part) do update set data = excluded.data, put_at = clock_timestamp()`);
/** A part that is sent again takes the place of the former one. */
export const putPart = (pool: Pool, part: { hash: string; part: number; data: string }) =>
  put(pool, [part.hash, part.part, part.data]);

const waiting = query<{ bytes: bigint }>("select coalesce(sum(length(data)), 0)::bigint as bytes from file_parts");
export async function bytesWaiting(pool: Pool): Promise<bigint> {
  const [row] = await waiting(pool);
  return row?.bytes ?? 0n;
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
export const deleteParts = async (pool: Pool, { max }: { max: number }) => (await removeOld(pool, [max])).length;

const claim = query<{ hash: string }>(`
  insert into files (hash, name, imported_by) values ($1, $2, $3) on conflict (hash) do nothing returning hash`);

/** Whether the file is new. Waits for another import of the same file. */
export async function claimFile(tx: Session, file: { hash: string; name: string; by: string }): Promise<boolean> {
  return (await claim(tx, [file.hash, file.name, file.by])).length > 0;
}

const known = query<{ hash: string }>("select hash from files where hash = $1");
export const isKnown = async (pool: Pool, hash: string) => (await known(pool, [hash])).length > 0;
