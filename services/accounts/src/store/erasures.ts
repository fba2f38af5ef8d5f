import { ERASED, type Erasure, type Mode, type Person } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";
import { ownBankIn, type Partners } from "../domain/partners.ts";
import { isHeldBy } from "./inbound-transfers.ts";

type Row = { id: string; merchantId: string; mode: Mode; kind: Person["kind"]; reference: string; requestedAt: string };
const COLUMNS = `id, merchant_id as "merchantId", mode, kind, reference, requested_at as "requestedAt"`;
const toErasure = ({ merchantId, mode, requestedAt, ...row }: Row): Erasure => ({
  ...{ id: row.id, kind: row.kind, reference: row.reference },
  ...{ merchant: { id: merchantId, mode }, requested_at: requestedAt },
});

/** A repeat of a finished erasure is another run; of an unfinished one, nothing. */
const order = statement(`
  insert into erasures as e (id, merchant_id, mode, kind, reference)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as o (id)
  order by o.id
  on conflict (id) do update set run = e.run + 1, finished_at = null, due_at = clock_timestamp()
    where e.finished_at is not null`);
export async function orderErasures(pool: Pool, erasures: (Person & { id: string })[]): Promise<void> {
  const rows = erasures.map(({ merchant, ...erasure }) => ({
    ...erasure,
    merchantId: merchant.id,
    mode: merchant.mode,
  }));
  await order(pool, columns(rows, "id", "merchantId", "mode", "kind", "reference"));
}

const repeat = statement<{ id: string }>(`
  with repeated as (
    update erasures set run = run + 1, finished_at = null, due_at = clock_timestamp()
    where finished_at is null or finished_at >= coalesce($1, '-infinity'::timestamptz)
    returning id, merchant_id, mode, kind, reference
  ),
  copied as (
    update customer_accounts a set copied_at = null from repeated r
    where r.kind = 'customer' and (a.merchant_id, a.mode, a.customer_reference) = (r.merchant_id, r.mode, r.reference)
  )
  select id from repeated`);
/** Repeats what has finished since then or has not finished; payments may have a former copy of the account. Returns how many. */
export const repeatErasures = async (pool: Pool, since: string | undefined): Promise<number> =>
  (await repeat(pool, [since ?? null])).length;

type ListedRow = Row & { finishedAt: string | null };
const list = statement<ListedRow>(`
  select ${COLUMNS}, finished_at as "finishedAt" from erasures where $1::text is null or id = $1
  order by finished_at is null desc, requested_at desc, id limit 200`);
/** One, or those that are in progress, however old, and then the newest. */
export async function listErasures(
  pool: Pool,
  id: string | undefined,
): Promise<(Erasure & { finished_at: string | null })[]> {
  return (await list(pool, [id ?? null])).map(({ finishedAt, ...row }) => ({
    ...toErasure(row),
    finished_at: finishedAt,
  }));
}

/**
 * Claims the erasure that is due first, until the lease ends. One runs at a time, because two may concern the same transfer:
 * the last one to change its event must be the last one to store the hash.
 */
const claim = statement<Row & { run: number }>(`
  update erasures set lease_until = clock_timestamp() + $1 * interval '1 millisecond'
  where id = (select id from erasures where finished_at is null order by due_at, id limit 1)
    and lease_until <= clock_timestamp() and due_at <= clock_timestamp()
    and not exists (select from erasures where finished_at is null and lease_until > clock_timestamp())
  returning ${COLUMNS}, run`);
export async function claimErasure(pool: Pool, leaseMs: number): Promise<ClaimedErasure | undefined> {
  const [row] = await claim(pool, [leaseMs]);
  return row && { erasure: toErasure(row), run: row.run };
}

/** An erasure and the run that was claimed. One that is repeated meanwhile is in a later run, in which all is due again. */
export type ClaimedErasure = { erasure: Erasure; run: number };

const extend = statement(
  "update erasures set lease_until = clock_timestamp() + $2 * interval '1 millisecond' where id = $1",
);
export const extendErasure = (pool: Pool, id: string, leaseMs: number) => extend(pool, [id, leaseMs]);

/** Ends the run if nothing is left and payments has the erased copy of the account, or else makes it due again after a while. */
const conclude = statement<{ finished: boolean }>(`
  update erasures e set lease_until = '-infinity', due_at = clock_timestamp() + $2 * interval '1 millisecond',
    finished_at = case when not $3 and not exists (
      select from erased_transfers t where t.erasure_id = e.id and t.run < e.run
    ) and not exists (
      select from customer_accounts a where e.kind = 'customer' and a.merchant_id = e.merchant_id and a.mode = e.mode
        and a.customer_reference = e.reference and a.copied_at is null
    ) then clock_timestamp() end
  where id = $1 returning finished_at is not null as finished`);
export async function concludeErasure(
  pool: Pool,
  id: string,
  { isInFlight, waitMs }: { isInFlight: boolean; waitMs: number },
): Promise<boolean> {
  const [row] = await conclude(pool, [id, waitMs, isInFlight]);
  return row?.finished ?? false;
}

const add = statement(`
  insert into erased_transfers (erasure_id, intake_id) select $1, intake_id from unnest($2::text[]) as t (intake_id)
  order by intake_id on conflict do nothing`);
export const addTransfers = (pool: Pool, id: string, intakeIds: string[]) => add(pool, [id, intakeIds]);

/** The account keeps its number: money that still arrives for it is the merchant's. payments gets the new copy of it. */
const eraseAccount = statement(`
  update customer_accounts set customer_name = '${ERASED}', account_name = '${ERASED}', metadata = '{}', copied_at = null
  where merchant_id = $1 and mode = $2 and customer_reference = $3 and status = 'retired'
    and (customer_name, account_name, metadata) <> ('${ERASED}', '${ERASED}', '{}')`);
export const eraseCustomerAccount = (pool: Pool, { merchant, reference }: Person) =>
  eraseAccount(pool, [merchant.id, merchant.mode, reference]);

/**
 * Takes the next transfers of a run after this one, and erases them here. Transfers that are not completed wait: their facts
 * are on the way. From here until the new hash is stored, or the event is found to be missing, they are under way.
 */
const take = statement<{ intake_id: string }>(`
  with next as (
    select t.erasure_id, t.intake_id, e.kind from erased_transfers t
    join erasures e on e.id = t.erasure_id join inbound_transfers i on i.intake_id = t.intake_id
    where t.erasure_id = $1 and t.run < $2 and t.intake_id > $3 and i.completed_at is not null and i.reference is not null
    order by t.intake_id limit $4 for update of i
  ),
  marked as (
    update erased_transfers t set under_way = true from next
    where t.erasure_id = next.erasure_id and t.intake_id = next.intake_id and not t.under_way
  ),
  erased as (
    update inbound_transfers i set payer_name = '${ERASED}', payer_account_number = null, payer_bank_name = null, narration = null,
      customer_name = case when next.kind = 'customer' and i.customer_name is not null then '${ERASED}' else i.customer_name end,
      metadata = case when next.kind = 'customer' then null else i.metadata end
    from next where i.intake_id = next.intake_id
  )
  select intake_id from next order by intake_id`);
export async function takeTransfers(
  pool: Pool,
  { erasure, run }: ClaimedErasure,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  return (await take(pool, [erasure.id, run, after, limit])).map(({ intake_id }) => intake_id);
}

/** The hash of an event is stored and its transfer is done in one statement; one that another process has finished is left. */
const store = statement(`
  with done as (
    update erased_transfers t set under_way = false, run = $2, erased_at = clock_timestamp()
    from unnest($3::text[], $4::text[]) as given (intake_id, body_hash)
    where t.erasure_id = $1 and t.intake_id = given.intake_id and t.under_way
    returning t.intake_id, given.body_hash
  )
  update inbound_transfers i set body_hash = decode(done.body_hash, 'hex') from done where i.intake_id = done.intake_id`);
export async function storeErased(
  pool: Pool,
  { erasure, run }: ClaimedErasure,
  events: { intake_id: string; body_hash: string }[],
): Promise<void> {
  await store(pool, [erasure.id, run, ...columns(events, "intake_id", "body_hash")]);
}

const leave = statement(`
  update erased_transfers set under_way = false
  where erasure_id = $1 and run < $2 and intake_id = any($3::text[]) and under_way`);
/** Leaves transfers whose event is missing to a later pass. Until then they are not under way: the audit names them. */
export const leaveTransfers = (pool: Pool, { erasure, run }: ClaimedErasure, intakeIds: string[]) =>
  leave(pool, [erasure.id, run, intakeIds]);

const erasing = statement<{ intake_id: string }>(`
  select distinct intake_id from erased_transfers
  where intake_id = any($1::text[]) and (under_way or erased_at >= $2)`);
/** Those of the transfers that are being erased, or were since then. */
export async function erasedSince(session: Session, intakeIds: string[], since: Date): Promise<Set<string>> {
  return new Set((await erasing(session, [intakeIds, since])).map(({ intake_id }) => intake_id));
}

const inFlight = statement<{ count: number }>(`
  select count(*)::integer as count from inbound_transfers i
  join customer_accounts a on a.mode = i.mode and a.account_number = i.account_number and ${isHeldBy("i", "a", "$4")}
  where a.merchant_id = $1 and a.mode = $2 and a.customer_reference = $3 and i.completed_at is null`);
/**
 * How many transfers to a customer are being credited. Another bank may have an account with the same number, of another party. `own` is the
 * id of the bank that holds the live accounts which are stored without a partner.
 */
export async function unfinishedOf(pool: Pool, { merchant, reference }: Person, own: Partners["own"]): Promise<number> {
  const [row] = await inFlight(pool, [merchant.id, merchant.mode, reference, ownBankIn(merchant.mode, own)]);
  return row?.count ?? 0;
}
