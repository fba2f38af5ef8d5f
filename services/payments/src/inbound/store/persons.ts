import { ERASED_MAX, type Person } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/** Finds what concerns a person who is to be erased. */

type Scope = Pick<Person, "merchant" | "reference">;
const valuesOf = ({ merchant, reference }: Scope) => [merchant.id, merchant.mode, reference];

/**
 * The collections of a payer: the one with the reference, those of the payment with it, and everything else from the same
 * account under the same name. A name without an account number identifies no sender. What was erased before is known by its
 * record only.
 */
const OF_PAYER = `
  named as (
    select intake_id, payer_id, payment_reference from collections
    where merchant_id = $1 and mode = $2 and reference = $3
    union all
    select intake_id, payer_id, payment_reference from collections
    where merchant_id = $1 and mode = $2 and payment_reference = $3
  ),
  found as (
    select intake_id, payment_reference from named
    union
    select c.intake_id, c.payment_reference from collections c join payers p on p.id = c.payer_id
    where c.payer_id in (select payer_id from named) and p.account_number <> ''
  )`;
const OF_CUSTOMER = `
  found as (
    select intake_id, payment_reference from collections where customer_reference = $3 and merchant_id = $1 and mode = $2
  )`;

const transfers = (found: string) =>
  statement<{ intake_id: string }>(`
    with ${found}
    select intake_id from (
      select intake_id from found union select intake_id from erased_collections where erasure_id = $4) as all_of_them
    where intake_id > $5 order by intake_id limit ${ERASED_MAX}`);
const transfersOf = { payer: transfers(OF_PAYER), customer: transfers(OF_CUSTOMER) };

/** A page of the person's transfers, including those that the erasure has erased. */
export async function findTransfers(
  pool: Pool,
  { kind, erasure_id, after, ...scope }: Person & { erasure_id: string; after: string },
): Promise<{ intake_ids: string[]; next: string | null }> {
  const rows = await transfersOf[kind](pool, [...valuesOf(scope), erasure_id, after]);
  const intake_ids = rows.map(({ intake_id }) => intake_id);
  return { intake_ids, next: intake_ids.length < ERASED_MAX ? null : (intake_ids.at(-1) ?? null) };
}

/** Sessions that can still be paid, or topped up. */
const OPEN = "status in ('pending', 'processing') or (status = 'underpaid' and watch_until > clock_timestamp())";
type Counts = { is_known: boolean; sessions: number; open_sessions: number };
const sessions = (found: string, own: string) =>
  statement<Counts>(`
    with ${found},
    concerned as (
      select reference, status, watch_until from sessions where merchant_id = $1 and mode = $2 and ${own}
      union
      select s.reference, s.status, s.watch_until from sessions s join found on found.payment_reference = s.reference
    )
    select count(*) > 0 or exists (select from found) as is_known, count(*)::integer as sessions,
      count(*) filter (where ${OPEN})::integer as open_sessions
    from concerned`);
const sessionsOf = {
  payer: sessions(OF_PAYER, "reference = $3"),
  customer: sessions(OF_CUSTOMER, "customer_reference = $3"),
};

export async function countSessions(pool: Pool, { kind, ...scope }: Person): Promise<Counts> {
  const [counts] = await sessionsOf[kind](pool, valuesOf(scope));
  if (!counts) throw new Error("an aggregate without a row");
  return counts;
}
