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

/** `followUpAt` says which claim it is; `reviewedForMs` how long ago the partner said that it came back, null if it did not. */
export type FollowUp = Transfer & { followUpAt: string; reviewedForMs: number | null };

const claimFollowUps = statement<FollowUp>(`
  update transfers t set follow_up_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = any(array(
    select reference from transfers where mode = $1 and follow_up_at <= now()
    order by follow_up_at limit $2 for update skip locked))
  returning ${TRANSFER_COLUMNS}, t.follow_up_at as "followUpAt",
    (extract(epoch from clock_timestamp() - t.review_since) * 1000)::float8 as "reviewedForMs"`);

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
 * when the statement began.) Test transfers do not touch the switch. The partner that was chosen for the merchant is read here, too: if
 * it is not among the configured ones, the transfer is held as if payouts were stopped, and goes to no other.
 */
const send = statement<Transfer>(`
  with switch as materialized (select stopped from payout_switch where $5 = 'live' for share),
  chosen as materialized (select partner from payout_partner_choices where merchant_id = $7 and $5 = 'live' and not $8),
  decision as materialized (
    select coalesce((select stopped from switch), false) or (select partner <> all($9::text[]) from chosen) is true as holds,
      coalesce((select partner from chosen), $6) as partner
  )
  update transfers t set step = case when d.holds then $3 else 'sending' end,
    sent_at = case when not d.holds then time_of(t.merchant_id, t.mode) end,
    partner = case when not d.holds then d.partner end, held_for = case when d.holds then 'payouts_stopped' end, attempts = 0,
    next_at = clock_timestamp() + (case when d.holds then $4::float8 else $2 end) * interval '1 millisecond'
  from decision d
  where reference = $1 and step = $3 and approval is distinct from 'required' returning ${TRANSFER_COLUMNS}`);

/** `partner` is the one that has the transfer already, null if several may have it, or else the default one. */
type Route = { partner: string | null; isKnown: boolean; configured: string[] };

/**
 * The partner is committed with it; null if several may have it, and none is called. Only the caller that gets the transfer from this at `sending` may call the bank, and only once. While live payouts are stopped it
 * is held, and stays at `reserved`.
 */
export async function markSending(
  tx: Session,
  { reference, mode, merchantId }: Pick<Transfer, "reference" | "mode" | "merchantId">,
  { leaseMs, heldMs, partner, isKnown, configured }: Route & { leaseMs: number; heldMs: number },
): Promise<Transfer | undefined> {
  const route = [partner, merchantId, isKnown, configured];
  const [sending] = await send(tx, [reference, leaseMs, "reserved", heldMs, mode, ...route]);
  return sending;
}

const unknown = statement<{ ms: number }>(`
  update transfers t set unknown_since = case when unknown_since >= sent_at then unknown_since else time_of(t.merchant_id, t.mode) end
  where reference = $1 and step = $2 and sent_at is not distinct from $3
  returning (extract(epoch from time_of(t.merchant_id, t.mode) - unknown_since) * 1000)::float8 as ms`);

/** The bank does not know it: since when it has said nothing else of this order, by the database's clock. */
export async function storeUnknown(
  tx: Session,
  { reference, sentAt }: Pick<Transfer, "reference" | "sentAt">,
): Promise<number> {
  const [row] = await unknown(tx, [reference, "sending", sentAt]);
  return row?.ms ?? 0;
}

const decide = statement<Transfer>(`
  update transfers t set step = 'decided', verdict = $2, failure_code = $3, failure_reason = $4, attempts = 0,
    session_id = coalesce($9, session_id), follow_up_at = null, next_at = clock_timestamp() + $5 * interval '1 millisecond'
  where reference = $1 and step = any($6::text[]) and status = $7 and sent_at is not distinct from $8
  returning ${TRANSFER_COLUMNS}`);

/** Stores the bank's verdict on a transfer as it was sent then, and not again since; or the reversal of a success. */
export async function storeVerdict(
  tx: Session,
  { reference, step, status, sentAt }: Transfer,
  { end, failureCode, failureReason, sessionId }: Verdict,
  leaseMs: number,
): Promise<Transfer | undefined> {
  // A reversal does not wait until the event of its success is recorded.
  const steps: Step[] = step === "sending" ? ["sending"] : ["booked", "told"];
  const verdict = [reference, end, failureCode, failureReason, leaseMs, steps, status, sentAt, sessionId ?? null];
  const [decided] = await decide(tx, verdict);
  return decided;
}

/** Whether the events of an end, and of what came before it, are all recorded. */
const isNotified = (told: string, end: string) =>
  `${told} @> case ${end} when 'reversed' then array['success', 'reversed'] else array[${end}] end`;

/** A live one ends when the ledger has it counted, so that both have it on the same day; a test one by the merchant's clock. */
const ENDED_AT = "coalesce(case when t.mode = 'live' then $7::timestamptz end, time_of(t.merchant_id, t.mode))";
const book = statement<Transfer>(`
  update transfers t set status = $3::text, attempts = 0,
    step = case when verdict <> $3 then 'decided' when ${isNotified("told", "$3::text")} then 'told' else 'booked' end,
    completed_at = coalesce(completed_at, ${ENDED_AT}),
    reversed_at = case when $3 = 'reversed' then ${ENDED_AT} end,
    follow_up_at = case when verdict = $3 and $3 <> 'reversed' then time_of(t.merchant_id, t.mode) + $4 * interval '1 millisecond' end,
    next_at = case when verdict <> $3 or not ${isNotified("told", "$3::text")} then clock_timestamp() + $5 * interval '1 millisecond' end
  where reference = $1 and step = $6 and status = $2 returning ${TRANSFER_COLUMNS}`);

/**
 * The ledger has booked this end, which is now the status. In a database that was restored the word of webhooks may have come again before:
 * then the merchant knows it.
 */
export async function storeEnd(
  tx: Session,
  { reference, status }: Transfer,
  given: { end: End; countedAt: string | undefined; followUpInMs: number | undefined; leaseMs: number },
): Promise<Transfer | undefined> {
  const { end, followUpInMs = null, leaseMs, countedAt = null } = given;
  const values = [reference, status, end, followUpInMs, leaseMs, "decided", countedAt];
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

const postponeFrom = (now: string, { unknownSince = "unknown_since", condition = "true" } = {}) =>
  statement(`
  update transfers set attempts = attempts + 1, next_at = ${now} + $3 * interval '1 millisecond', unknown_since = ${unknownSince}
  where reference = $1 and step = $2 and cardinality(told) = $4 and ${condition}`);
const postponeStep = postponeFrom("clock_timestamp()");
const postponeQuery = postponeFrom("time_of(merchant_id, mode)", {
  unknownSince: "case when not $5 then unknown_since end",
  condition: "(sent_at > $6) is not true",
});

type Postponed = Pick<Transfer, "reference" | "step" | "notified">;

/**
 * Retries the same step later, unless an event was recorded in the meantime: then the next event is published at once.
 */
export async function postpone(tx: Session, transfer: Postponed, waitMs: number) {
  await postponeStep(tx, [transfer.reference, transfer.step, waitMs, transfer.notified.length]);
}

/**
 * The same, by the merchant's time: the bank is asked again. What it knows now was not unknown before. Nothing if it was ordered again
 * meanwhile: that order is on its way to the bank, and counts as such until it is answered.
 */
export async function postponeEnquiry(
  tx: Session,
  transfer: Postponed & Pick<Transfer, "sentAt">,
  { isKnown, waitMs }: { isKnown: boolean; waitMs: number },
) {
  const { reference, step, notified, sentAt } = transfer;
  await postponeQuery(tx, [reference, step, waitMs, notified.length, isKnown, sentAt]);
}

const follow = statement(`
  update transfers set follow_ups = follow_ups + 1, review_since = null, follow_up_at = completed_at + $3 * interval '1 millisecond'
  where reference = $1 and follow_up_at = $2 and verdict = $4`);

/** Records one enquiry after the end; the next follows at this time after the end, or none does. Nothing if it became due again meanwhile. */
export async function storeFollowUp(tx: Session, transfer: FollowUp, nextMs: number | undefined): Promise<void> {
  await follow(tx, [transfer.reference, transfer.followUpAt, nextMs ?? null, transfer.verdict]);
}

const followLater = statement(`
  update transfers set follow_up_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and follow_up_at = $2 and verdict = $4`);

export async function postponeFollowUp(tx: Session, transfer: FollowUp, waitMs: number): Promise<void> {
  await followLater(tx, [transfer.reference, transfer.followUpAt, waitMs, transfer.verdict]);
}

const followNow = statement<{ reference: string }>(`
  update transfers set follow_up_at = least(follow_up_at, clock_timestamp()),
    review_since = coalesce(case when follow_up_at is not null then review_since end, clock_timestamp())
  where reference = $1 and mode = 'live' and verdict = $2 and coalesce(partner, $3) = $3 returning reference`);

/** A live payout that this partner has paid is enquired about at once, also after the last follow-up. False if there is none. */
export const followUpNow = async (tx: Session, { reference, partner }: { reference: string; partner: string }) =>
  (await followNow(tx, [reference, "success", partner])).length > 0;

/** A transfer is complete once the events of all its ends are recorded; otherwise the next is published at once. */
const ALL_NOTIFIED = isNotified("t.told || n.ends", "t.status");
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
