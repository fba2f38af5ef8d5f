import type { Mode } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";
import type { End, Step, Transfer, Verdict } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/**
 * Each statement moves a transfer from the step it must be at to the next, and gives it back as it then is; it gives
 * nothing when somebody else has moved it first. `leaseMs` is for whoever goes on with it. The step comes as a parameter:
 * a plan made while the table is small would else prefer a partial index on the step to the key, and be kept.
 */

/** What is due and now this process's alone until the lease ends. */
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
  update transfers t set step = 'reserved', attempts = 0, next_at = clock_timestamp() + $2 * interval '1 millisecond'
  where reference = $1 and step = $3 returning ${TRANSFER_COLUMNS}`);

/** The ledger holds the money. After `leaseMs`, 0 for at once, the bank is called. */
export async function markReserved(tx: Session, reference: string, leaseMs: number): Promise<Transfer | undefined> {
  const [reserved] = await reserve(tx, [reference, leaseMs, "created"]);
  return reserved;
}

const refuse = statement("update transfers set step = 'refused', next_at = null where reference = $1 and step = $2");

export async function markRefused(tx: Session, reference: string): Promise<void> {
  await refuse(tx, [reference, "created"]);
}

const send = statement<Transfer>(`
  update transfers t set step = 'sending', sent_at = clock_timestamp(), attempts = 0,
    next_at = clock_timestamp() + $2 * interval '1 millisecond'
  where reference = $1 and step = $3 returning ${TRANSFER_COLUMNS}`);

/** Whoever gets the transfer from this may call the bank, once; nobody else ever may. */
export async function markSending(tx: Session, reference: string, leaseMs: number): Promise<Transfer | undefined> {
  const [sending] = await send(tx, [reference, leaseMs, "reserved"]);
  return sending;
}

const sentFor = statement<{ ms: number }>(
  "select (extract(epoch from clock_timestamp() - sent_at) * 1000)::float8 as ms from transfers where reference = $1",
);

/** How long ago it was sent, on the database's clock. */
export async function sentForMs(tx: Session, reference: string): Promise<number> {
  const [row] = await sentFor(tx, [reference]);
  return row?.ms ?? 0;
}

const decide = statement<Transfer>(`
  update transfers t set step = 'decided', verdict = $2, failure_code = $3, failure_reason = $4, attempts = 0,
    follow_up_at = null, next_at = clock_timestamp() + $5 * interval '1 millisecond'
  where reference = $1 and step = any($6::text[]) and status = $7 returning ${TRANSFER_COLUMNS}`);

/** What the bank says of a transfer that was sent, or that a success was reversed. */
export async function storeVerdict(
  tx: Session,
  { reference, step, status }: Transfer,
  { end, failureCode, failureReason }: Verdict,
  leaseMs: number,
): Promise<Transfer | undefined> {
  // Whether a success is told yet is no matter to its reversal.
  const steps: Step[] = step === "sending" ? ["sending"] : ["booked", "told"];
  const [decided] = await decide(tx, [reference, end, failureCode, failureReason, leaseMs, steps, status]);
  return decided;
}

const book = statement<Transfer>(`
  update transfers t set status = $3::text, step = case when verdict = $3 then 'booked' else 'decided' end, attempts = 0,
    completed_at = coalesce(completed_at, clock_timestamp()),
    reversed_at = case when $3 = 'reversed' then clock_timestamp() end,
    follow_up_at = case when verdict = $3 and $3 <> 'reversed' then clock_timestamp() + $4 * interval '1 millisecond' end,
    next_at = clock_timestamp() + $5 * interval '1 millisecond'
  where reference = $1 and step = $6 and status = $2 returning ${TRANSFER_COLUMNS}`);

/** The ledger has booked this end: it is the status now. */
export async function storeEnd(
  tx: Session,
  { reference, status }: Transfer,
  given: { end: End; followUpInMs: number | undefined; leaseMs: number },
): Promise<Transfer | undefined> {
  const values = [reference, status, given.end, given.followUpInMs ?? null, given.leaseMs, "decided"];
  const [booked] = await book(tx, values);
  return booked;
}

const postponeStep = statement(`
  update transfers set attempts = attempts + 1, next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and step = $2 and cardinality(told) = $4`);

/** The same step is tried again later, unless an event was recorded meanwhile: then the next is told at once. */
export async function postpone(tx: Session, transfer: Pick<Transfer, "reference" | "step" | "told">, waitMs: number) {
  await postponeStep(tx, [transfer.reference, transfer.step, waitMs, transfer.told.length]);
}

const follow = statement(`
  update transfers set follow_ups = follow_ups + 1, follow_up_at = completed_at + $3 * interval '1 millisecond'
  where reference = $1 and follow_ups = $2 and verdict = $4`);

/** One enquiry after the end is done; the next comes so long after the end, or none does. */
export async function storeFollowUp(tx: Session, transfer: Transfer, nextMs: number | undefined): Promise<void> {
  await follow(tx, [transfer.reference, transfer.followUps, nextMs ?? null, transfer.verdict]);
}

const followLater = statement(`
  update transfers set follow_up_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and follow_ups = $2 and verdict = $4`);

export async function postponeFollowUp(tx: Session, transfer: Transfer, waitMs: number): Promise<void> {
  await followLater(tx, [transfer.reference, transfer.followUps, waitMs, transfer.verdict]);
}

/** A transfer of which all ends are told is done; otherwise the next is told at once. */
const ALL_TOLD = `t.told || n.ends @> case t.status when 'reversed' then array['success', 'reversed'] else array[t.status] end`;
const tell = statement<{ mode: Mode }>(`
  update transfers t set told = t.told || n.ends, attempts = 0,
    step = case when t.step = 'booked' and ${ALL_TOLD} then 'told' else t.step end,
    next_at = case when t.step <> 'booked' then t.next_at when not (${ALL_TOLD}) then now() end
  from (
    select reference, array_agg(distinct told_end) as ends from unnest($1::text[], $2::text[]) as k (reference, told_end)
    group by reference order by reference
  ) n
  where t.reference = any($1::text[]) and t.reference = n.reference and not t.told @> n.ends returning t.mode`);

/** The merchant's events of these ends are recorded. Gives the modes in which there may be more to tell. */
export async function markTold(tx: Session, ends: { reference: string; end: string }[]): Promise<Set<Mode>> {
  const rows = await tell(tx, columns(ends, "reference", "end"));
  return new Set(rows.map(({ mode }) => mode));
}
