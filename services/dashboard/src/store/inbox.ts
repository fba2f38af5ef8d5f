import type { MerchantScope } from "@collect/contracts";
import { type Pool, query, statement } from "@collect/database";
import type { InboxKind } from "../domain/inbox.ts";

/** Who takes care of what the Inbox lists, and what is done: a row for each item about which a member has said something. */

export type InboxState = {
  reference: string;
  owner: { user_id: string; name: string } | null;
  done: { at: string; by: string; note: string | null } | null;
};
type Row = {
  reference: string;
  owner_id: string | null;
  owner_name: string | null;
  done_at: string | null;
  done_by_name: string | null;
  note: string | null;
};
type Item = { kind: InboxKind; reference: string };

const STATE = `i.reference, m.user_id as owner_id, o.name as owner_name, i.done_at, d.name as done_by_name, i.note`;
const FROM = (items: string) => `${items} i
  left join members m on m.merchant_id = i.merchant_id and m.user_id = i.owner_id
  left join users o on o.id = m.user_id
  left join users d on d.id = i.done_by`;

const toState = ({ reference, owner_id, owner_name, done_at, done_by_name, note }: Row): InboxState => ({
  reference,
  owner: owner_id === null ? null : { user_id: owner_id, name: owner_name ?? "" },
  done: done_at === null ? null : { at: done_at, by: done_by_name ?? "", note },
});

const states = statement<Row>(`
  select ${STATE} from ${FROM("inbox_items")}
  where i.merchant_id = $1 and i.mode = $2 and i.kind = $3 and i.reference = any ($4::text[])`);

/** What members said about these items, by reference. */
export async function readStates(
  pool: Pool,
  { id, mode }: MerchantScope,
  { kind, references }: { kind: InboxKind; references: string[] },
): Promise<Map<string, InboxState>> {
  const rows = await states(pool, [id, mode, kind, references]);
  return new Map(rows.map((row) => [row.reference, toState(row)]));
}

const done = query<Row & { done_at: string }>(`
  select ${STATE} from ${FROM("inbox_items")}
  where i.merchant_id = $1 and i.mode = $2 and i.kind = $3 and i.done_at is not null
    and (i.done_at, i.reference) < (coalesce($4::timestamptz, 'infinity'), $5)
  order by i.done_at desc, i.reference desc limit $6`);

export type DoneState = InboxState & { done: NonNullable<InboxState["done"]> };

/** What is done, the last first. */
export async function listDone(
  pool: Pool,
  { id, mode }: MerchantScope,
  { kind, after, limit }: { kind: InboxKind; after: string[] | undefined; limit: number },
): Promise<DoneState[]> {
  const [at = null, reference = ""] = after ?? [];
  const rows = await done(pool, [id, mode, kind, at, reference, limit]);
  return rows.map(toState).flatMap((state) => (state.done ? [{ ...state, done: state.done }] : []));
}

const assign = statement(`
  insert into inbox_items (merchant_id, mode, kind, reference, owner_id)
  select $1, $2, $3, $4, m.user_id from (select) one left join members m on m.merchant_id = $1 and m.user_id = $5
  where m.user_id is not null or $5::text is null
  on conflict (merchant_id, mode, kind, reference) do update set owner_id = excluded.owner_id
  returning reference`);

/** False if that person is not a member. Of two members who assign it at once the later one counts. */
export const setOwner = async (
  pool: Pool,
  { id, mode }: MerchantScope,
  { kind, reference, userId }: Item & { userId: string | null },
): Promise<boolean> => (await assign(pool, [id, mode, kind, reference, userId])).length > 0;

const finish = statement(`
  insert into inbox_items as i (merchant_id, mode, kind, reference, done_at, done_by, note)
  values ($1, $2, $3, $4, clock_timestamp(), $5, $6)
  on conflict (merchant_id, mode, kind, reference) do update set done_at = excluded.done_at, done_by = excluded.done_by, note = excluded.note
    where i.done_at is null`);

/** What is done already stays as it was said first. */
export const setDone = async (
  pool: Pool,
  { id, mode }: MerchantScope,
  { kind, reference, userId, note }: Item & { userId: string; note: string | null },
) => void (await finish(pool, [id, mode, kind, reference, userId, note]));

const reopen = statement(`
  update inbox_items set done_at = null, done_by = null, note = null
  where merchant_id = $1 and mode = $2 and kind = $3 and reference = $4`);

export const setOpen = async (pool: Pool, { id, mode }: MerchantScope, { kind, reference }: Item) =>
  void (await reopen(pool, [id, mode, kind, reference]));
