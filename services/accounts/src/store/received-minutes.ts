import type { Mode } from "@collect/contracts";
import { digestOf, type Pool, receivedRows, statement } from "@collect/database";
import type { IntakeRow } from "../domain/completeness.ts";

type Span = { from: string; to: string };

/**
 * The transfers that accounts accepted. Allocated money counts twice, as in the ledger: once in suspense, and once for its
 * owner. Rows completed by a release that did not store the hash of the body have none.
 */
const WITHIN = "received_at >= $1::timestamptz and received_at < $2::timestamptz";
export const received = receivedRows<Mode>(
  `
  select mode, 'collection' as kind, received_at, intake_id, merchant_id, amount,
    ${digestOf("intake_id", "merchant_id", "amount")} as intake,
    ${digestOf("intake_id", "customer_reference", "account_number")} as customer,
    ${digestOf("intake_id", "reference", "sequence", "delivery_number")} as numbers,
    case when body_hash is not null then ${digestOf("intake_id", "encode(body_hash, 'hex')")} end as body,
    (completed_at is not null)::integer as finished
  from inbound_transfers where ${WITHIN} and merchant_id is not null
  union all
  select mode, 'suspense', received_at, intake_id, null, amount, ${digestOf("intake_id", "null", "amount")}, null, null, null,
    (completed_at is not null or allocated_at is not null)::integer
  from inbound_transfers where ${WITHIN} and (merchant_id is null or allocated_at is not null)`,
  ["intake", "customer", "numbers", "body", "finished"],
);

/** The rows, each with whether it is completed. */
export async function receivedTransfers(pool: Pool, span: Span & { limit: number }): Promise<IntakeRow[]> {
  const rows = await received.rows(pool, span);
  return rows.map(({ digests: { finished, ...digests }, ...row }) => ({
    ...row,
    digests,
    is_finished: finished === "1",
  }));
}

const known = statement<{ kind: "collection" | "suspense"; intake_id: string }>(`
  select kind, intake_id from inbound_transfers cross join (values ('collection'), ('suspense')) as kinds (kind)
  where intake_id = any($1::text[])
    and case kind when 'collection' then merchant_id is not null else merchant_id is null or allocated_at is not null end`);
/** Those of these transfers that accounts accepted, with their kinds. */
export const knownTransfers = (pool: Pool, intakeIds: string[]) => known(pool, [intakeIds]);

const inFlight = statement<InFlight>(`
  select intake_id, date_trunc('minute', received_at, 'UTC') as minute, case when merchant_id is null then 'suspense' else 'collection' end as kind
  from inbound_transfers where ${WITHIN} and completed_at is null
  union
  select e.intake_id, date_trunc('minute', received_at, 'UTC'), 'collection'
  from erased_transfers e join inbound_transfers t on t.intake_id = e.intake_id where e.under_way and ${WITHIN}
  limit $3`);

export type InFlight = { intake_id: string; minute: string; kind: "collection" | "suspense" };

/** The transfers in flight, and those that are being erased, that were received in this span, up to a limit. */
export const readInFlight = (pool: Pool, { from, to }: Span, limit: number) => inFlight(pool, [from, to, limit]);

const minutes = statement<{ minute: string }>(`
  select distinct date_trunc('minute', received_at, 'UTC') as minute from inbound_transfers where ${WITHIN}`);
export async function minutesReceived(pool: Pool, { from, to }: Span): Promise<string[]> {
  return (await minutes(pool, [from, to])).map(({ minute }) => minute);
}

const oldest = statement<{ received_at: string | null }>(
  "select min(received_at) as received_at from inbound_transfers",
);
export async function oldestReceived(pool: Pool): Promise<string | undefined> {
  const [row] = await oldest(pool);
  return row?.received_at ?? undefined;
}

const forwards = statement<{ received_at: string }>(`
  select received_at from inbound_transfers where received_at >= $1 order by received_at offset $2 limit 1`);
const backwards = statement<{ received_at: string }>(`
  select received_at from inbound_transfers where received_at < $1 order by received_at desc offset $2 limit 1`);

/** When the n-th row after this instant, or before it, was received; undefined when there are fewer. */
export async function receivedAfter(pool: Pool, at: string, rows: number): Promise<string | undefined> {
  return (await forwards(pool, [at, rows]))[0]?.received_at;
}
export async function receivedBefore(pool: Pool, at: string, rows: number): Promise<string | undefined> {
  return (await backwards(pool, [at, rows]))[0]?.received_at;
}
