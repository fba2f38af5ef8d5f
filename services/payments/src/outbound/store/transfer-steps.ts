import type { Mode } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";
import type { End, Step, Transfer, Verdict } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/**
 * Each statement moves a transfer from the step it must be at to the next and returns the updated row, or nothing when
 * another process has moved it first. `leaseMs` belongs to the process that continues with it. The step is passed as a
 * parameter: with a literal, a plan made while the table is small would prefer a partial index on the step to the
 * primary key, and be cached.
 */

/** Due transfers, claimed by this process until the lease ends. */
const claimDue = statement<Transfer>(`
  update transfers t set next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = any(array(
    select reference from transfers where mode = $1 and next_at <= now() order by next_at limit $2 for update skip locked))
  returning ${TRANSFER_COLUMNS}`);

const claimFollowUps = statement<Transfer>(`
  update transfers t set follow_up_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = any(array(
    select reference from transfers where mode = $1 and follow_up_at <= now()
    order by follow_up_at limit $2 for update skip locked))
  returning ${TRANSFER_COLUMNS}`);

type Claim = { mode: Mode; limit: number; leaseMs: number };
export const claimDueTransfers = (tx: Session, { mode, limit, leaseMs }: Claim) => claimDue(tx, [mode, limit, leaseMs]);
export const claimDueFollowUps = (tx: Session, { mode, limit, leaseMs }: Claim) =>
  claimFollowUps(tx, [mode, limit, leaseMs]);

const reserve = statement<Transfer>(`
  update transfers t set step = 'reserved', attempts = 0, approval = $4,
    next_at = case when $4::text is null then clock_timestamp() else time_of(t.merchant_id, t.mode) end + $2 * interval '1 millisecond'
  where reference = $1 and step = $3 returning ${TRANSFER_COLUMNS}`);

/**
 * The money is reserved in the ledger. After `waitMs` (0 means at once) the bank is called, or, if it needs an approval, the
 * time for that is over.
 */
export async function markReserved(
  tx: Session,
  reference: string,
  { waitMs, approval }: { waitMs: number; approval: "required" | null },
): Promise<Transfer | undefined> {
  const [reserved] = await reserve(tx, [reference, waitMs, "created", approval]);
  return reserved;
}

const refuse = statement("update transfers set step = 'refused', next_at = null where reference = $1 and step = $2");

export async function markRefused(tx: Session, reference: string): Promise<void> {
  await refuse(tx, [reference, "created"]);
}

/**
 * The claim holds a share lock on the operator's switch while it commits. Stopping waits for such claims, so that each is either
 * committed, and seen as in flight, when payouts are stopped, or reads that they are. (A plain read would see the switch as it was
 * when the statement began.) Test transfers do not touch the switch.
 */
const send = statement<Transfer>(`
  with switch as materialized (select stopped from payout_switch where $5 = 'live' for share),
  decision as materialized (select coalesce((select stopped from switch), false) as stopped)
  update transfers t set step = case when d.stopped then $3 else 'sending' end,
    sent_at = case when not d.stopped then time_of(t.merchant_id, t.mode) end,
    partner = case when not d.stopped then $6 end, held_for = case when d.stopped then 'payouts_stopped' end, attempts = 0,
    next_at = clock_timestamp() + (case when d.stopped then $4::float8 else $2 end) * interval '1 millisecond'
  from decision d
  where reference = $1 and step = $3 and approval is distinct from 'required' returning ${TRANSFER_COLUMNS}`);

/**
 * The partner is committed with it. Only the caller that gets the transfer from this at `sending` may call the bank, and only once. While live payouts are stopped it
 * is held, and stays at `reserved`.
 */
export async function markSending(
  tx: Session,
  { reference, mode }: Pick<Transfer, "reference" | "mode">,
  { leaseMs, heldMs, partner }: { leaseMs: number; heldMs: number; partner: string },
): Promise<Transfer | undefined> {
  const [sending] = await send(tx, [reference, leaseMs, "reserved", heldMs, mode, partner]);
  return sending;
}

const sentFor = statement<{ ms: number }>(
  "select (extract(epoch from time_of(merchant_id, mode) - sent_at) * 1000)::float8 as ms from transfers where reference = $1",
);

/** How long ago it was sent, by the database's clock. */
export async function sentForMs(tx: Session, reference: string): Promise<number> {
  const [row] = await sentFor(tx, [reference]);
  return row?.ms ?? 0;
}

const decide = statement<Transfer>(`
  update transfers t set step = 'decided', verdict = $2, failure_code = $3, failure_reason = $4, attempts = 0,
    follow_up_at = null, next_at = clock_timestamp() + $5 * interval '1 millisecond'
  where reference = $1 and step = any($6::text[]) and status = $7 and sent_at is not distinct from $8
  returning ${TRANSFER_COLUMNS}`);

/** Stores the bank's verdict on a transfer as it was sent then, and not again since; or the reversal of a success. */
export async function storeVerdict(
  tx: Session,
  { reference, step, status, sentAt }: Transfer,
  { end, failureCode, failureReason }: Verdict,
  leaseMs: number,
): Promise<Transfer | undefined> {
  // A reversal does not wait until the event of its success is recorded.
  const steps: Step[] = step === "sending" ? ["sending"] : ["booked", "told"];
  const [decided] = await decide(tx, [reference, end, failureCode, failureReason, leaseMs, steps, status, sentAt]);
  return decided;
}

const book = statement<Transfer>(`
  update transfers t set status = $3::text, step = case when verdict = $3 then 'booked' else 'decided' end, attempts = 0,
    completed_at = coalesce(completed_at, time_of(t.merchant_id, t.mode)),
    reversed_at = case when $3 = 'reversed' then time_of(t.merchant_id, t.mode) end,
    follow_up_at = case when verdict = $3 and $3 <> 'reversed' then time_of(t.merchant_id, t.mode) + $4 * interval '1 millisecond' end,
    next_at = clock_timestamp() + $5 * interval '1 millisecond'
  where reference = $1 and step = $6 and status = $2 returning ${TRANSFER_COLUMNS}`);

/** The ledger has booked this end, which is now the status. */
export async function storeEnd(
  tx: Session,
  { reference, status }: Transfer,
  given: { end: End; followUpInMs: number | undefined; leaseMs: number },
): Promise<Transfer | undefined> {
  const values = [reference, status, given.end, given.followUpInMs ?? null, given.leaseMs, "decided"];
  const [booked] = await book(tx, values);
  return booked;
}

const adopt = statement<Transfer>(`
  update transfers t set verdict = $2, failure_code = null, failure_reason = null
  where reference = $1 and step = $3 and status = $4 and verdict = $5 returning ${TRANSFER_COLUMNS}`);

/** The ledger had booked this end before the one that was decided on; it is booked next, and why it failed is not known any more. */
export async function storeFirstEnd(
  tx: Session,
  { reference, step, status, verdict }: Transfer,
  first: End,
): Promise<Transfer | undefined> {
  const [adopted] = await adopt(tx, [reference, first, step, status, verdict]);
  return adopted;
}

const postponeFrom = (now: string) =>
  statement(`
  update transfers set attempts = attempts + 1, next_at = ${now} + $3 * interval '1 millisecond'
  where reference = $1 and step = $2 and cardinality(told) = $4`);
const postponeStep = postponeFrom("clock_timestamp()");
const postponeQuery = postponeFrom("time_of(merchant_id, mode)");

type Postponed = Pick<Transfer, "reference" | "step" | "notified">;

/**
 * Retries the same step later, unless an event was recorded in the meantime: then the next event is published at once.
 */
export async function postpone(tx: Session, transfer: Postponed, waitMs: number) {
  await postponeStep(tx, [transfer.reference, transfer.step, waitMs, transfer.notified.length]);
}

/** The same, by the merchant's time: the bank is asked again. */
export async function postponeEnquiry(tx: Session, transfer: Postponed, waitMs: number) {
  await postponeQuery(tx, [transfer.reference, transfer.step, waitMs, transfer.notified.length]);
}

const follow = statement(`
  update transfers set follow_ups = follow_ups + 1, follow_up_at = completed_at + $3 * interval '1 millisecond'
  where reference = $1 and follow_ups = $2 and verdict = $4`);

/** Records one enquiry after the end; the next follows at this time after the end, or none does. */
export async function storeFollowUp(tx: Session, transfer: Transfer, nextMs: number | undefined): Promise<void> {
  await follow(tx, [transfer.reference, transfer.followUps, nextMs ?? null, transfer.verdict]);
}

const followLater = statement(`
  update transfers set follow_up_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and follow_ups = $2 and verdict = $4`);

export async function postponeFollowUp(tx: Session, transfer: Transfer, waitMs: number): Promise<void> {
  await followLater(tx, [transfer.reference, transfer.followUps, waitMs, transfer.verdict]);
}

/** A transfer is complete once the events of all its ends are recorded; otherwise the next is published at once. */
const ALL_NOTIFIED = `t.told || n.ends @> case t.status when 'reversed' then array['success', 'reversed'] else array[t.status] end`;
const notify = statement<{ mode: Mode }>(`
  update transfers t set told = t.told || n.ends, attempts = 0,
    step = case when t.step = 'booked' and ${ALL_NOTIFIED} then 'told' else t.step end,
    next_at = case when t.step <> 'booked' then t.next_at when not (${ALL_NOTIFIED}) then now() end
  from (
    select reference, array_agg(distinct notified_end) as ends from unnest($1::text[], $2::text[]) as k (reference, notified_end)
    group by reference order by reference
  ) n
  where t.reference = any($1::text[]) and t.reference = n.reference and not t.told @> n.ends returning t.mode`);

/** webhooks has recorded the merchant's events of these ends. Returns the modes in which another event may be due. */
export async function markNotified(tx: Session, ends: { reference: string; end: string }[]): Promise<Set<Mode>> {
  const rows = await notify(tx, columns(ends, "reference", "end"));
  return new Set(rows.map(({ mode }) => mode));
}
