import { columns, query, type Session } from "@collect/database";

export type LineOffer = { line: string; offeredAt: string };

const insert = query(`
  insert into line_offers (line, offered_at, is_withdrawn) values ($1, $2, $3) on conflict (line, offered_at) do nothing`);
const read = query<{ is_withdrawn: boolean }>(
  "select is_withdrawn from line_offers where line = $1 and offered_at = $2",
);

async function decide(tx: Session, { line, offeredAt }: LineOffer, isWithdrawn: boolean): Promise<boolean> {
  await insert(tx, [line, offeredAt, isWithdrawn]);
  const [row] = await read(tx, [line, offeredAt]);
  return row?.is_withdrawn === isWithdrawn;
}

/** From now on it is not withdrawn; false if it was. */
export const keepOffer = (tx: Session, offer: LineOffer) => decide(tx, offer, false);
/** From now on it is not credited; false if it was, or is about to be. */
export const withdrawOffer = (tx: Session, offer: LineOffer) => decide(tx, offer, true);

const withdrawn = query<{ offered_at: string }>(
  "select offered_at from line_offers where line = $1 and is_withdrawn order by offered_at desc limit 1",
);
/** When the last offer of the line was made that was withdrawn. */
export const lastWithdrawn = async (session: Session, line: string): Promise<string | undefined> =>
  (await withdrawn(session, [line]))[0]?.offered_at;

const reopen = query("delete from line_offers where line = $1 and offered_at = $2 and not is_withdrawn");
/** Nothing was credited, and nothing will be: its id is that of another transfer. */
export const reopenOffer = (tx: Session, { line, offeredAt }: LineOffer) => reopen(tx, [line, offeredAt]);

const withdrawnAmong = query<{ n: number }>(`
  select n::integer as n from unnest($1::text[], $2::timestamptz[]) with ordinality as offered (line, offered_at, n)
  join line_offers using (line, offered_at) where is_withdrawn order by n`);
/** Those that were withdrawn. */
export const withdrawnOf = async <Offer extends { line: string; offered_at: string }>(
  session: Session,
  offers: Offer[],
): Promise<Offer[]> =>
  (await withdrawnAmong(session, columns(offers, "line", "offered_at"))).flatMap(({ n }) => offers[n - 1] ?? []);

const restore = query(`
  insert into line_offers (line, offered_at, is_withdrawn)
  select line, offered_at, false from unnest($1::text[], $2::timestamptz[]) as offered (line, offered_at)
  order by line, offered_at on conflict (line, offered_at) do nothing`);
/** Offers that may have been credited before a restore: none of them is withdrawn, unless it was by the time of the backup. */
export const restoreOffers = (tx: Session, offers: LineOffer[]) => restore(tx, columns(offers, "line", "offeredAt"));
