import { columns, query, type Session } from "@collect/database";
import type { Day } from "../domain/statement.ts";
import { inStatements } from "./in-statements.ts";

type Closing = { sheet: unknown; closed_by: string; closed_at: string };
const closing = query<Closing>(
  "select sheet, closed_by, closed_at from closings where day = $1 and reopened_at is null",
);
export async function readClosing(tx: Session, day: Day): Promise<Closing | undefined> {
  const [row] = await closing(tx, [day]);
  return row;
}

const balance = query<{ balance: bigint | null }>(
  "select (sheet -> 'ledger' ->> 'closing')::bigint as balance from closings where day = $1 and reopened_at is null",
);
/** What the ledger had on the bank at the end of a closed day, when it was closed. */
export const readClosedBalance = async (tx: Session, day: Day): Promise<bigint | undefined> =>
  (await balance(tx, [day]))[0]?.balance ?? undefined;

const atOnce = query("set transaction isolation level repeatable read");
/** What follows in the transaction sees the tables as they are now, whatever commits in between. */
export const readAtOnce = (tx: Session) => atOnce(tx);

const lock = query("select pg_advisory_xact_lock(hashtext('closings'))");
/** Until the end of the transaction nothing else can change a day: whatever has seen it open is committed. */
export const lockDays = (tx: Session) => lock(tx);

const share = query("select pg_advisory_xact_lock_shared(hashtext('closings'))");
/** Until the end of the transaction no day is closed or reopened. */
export const shareDays = (tx: Session) => share(tx);

const close = query<{
  id: bigint;
}>(`insert into closings (day, sheet, closed_by, charges, own_funds, openings) values ($1, $2, $3,
  array(select id from lines where booked_on = $1 and is_charge and match_id is null order by id), $4,
  (select coalesce(jsonb_object_agg(account, amount), '{}') from unnest($5::text[], $6::bigint[]) as opening (account, amount))
) returning id`);
const insertMembers = query(`
  insert into grouped_items (closing, in_group, item, amount, charge, what)
  select $1, * from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])`);

export type GroupMember = { key: string; amount: bigint; charge: bigint | null; what: string };
type Given = {
  day: Day;
  sheet: object;
  by: string;
  members: (GroupMember & { group: string })[];
  own: bigint[];
  openings: { account: string | null; amount: bigint }[];
};
/** The sheet as it was shown, what is in its groups, the lines that are ours (own money, charges that the bank gave back), and the opening balances. */
export async function storeClosing(tx: Session, { day, sheet, by, members, own, openings }: Given): Promise<void> {
  const [row] = await close(tx, [day, JSON.stringify(sheet), by, own, ...columns(openings, "account", "amount")]);
  if (!row) throw new Error("an insert returned no row");
  for (const some of inStatements(members))
    await insertMembers(tx, [row.id, ...columns(some, "group", "key", "amount", "charge", "what")]);
}

const members = query<GroupMember>(`
  select item as key, amount, charge, what from grouped_items
  where closing = (select id from closings where day = $1 and reopened_at is null) and in_group = $2 and item > $3 order by item limit $4`);
/** In the order of their keys, those after the key `after`: of a closed day, as it was closed. */
export const readMembers = (tx: Session, given: { day: Day; group: string; after?: string | undefined }, max: number) =>
  members(tx, [given.day, given.group, given.after ?? "", max]);

const reopen = query<{ id: bigint }>(`
  update closings set reopened_by = $2, reopened_at = clock_timestamp(), reason = $3
  where day = $1 and reopened_at is null and day = (select max(day) from closings where reopened_at is null)
  returning id`);
/** False unless it is the last closed day. */
export const reopenDay = async (tx: Session, given: { day: Day; by: string; reason: string }): Promise<boolean> =>
  (await reopen(tx, [given.day, given.by, given.reason])).length > 0;
