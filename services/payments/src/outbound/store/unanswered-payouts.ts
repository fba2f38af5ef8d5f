import { query, type Session, statement } from "@collect/database";
import type { Resolution, Transfer } from "../domain/transfer.ts";
import { verdictOf } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/**
 * Live payouts of which the bank has not said how they ended. Operators decide about those that were sent so long ago that no
 * call can be in progress; the first decision stands, whatever another operator decides or the bank answers at the same moment.
 */
const LISTED_MAX = 100;

/** Null unless the bank has said of this order, ever since then, that it does not know it. */
export type Unanswered = Transfer & { unknownSince: string | null };

/** From the index of unfinished transfers. What was said of a former order is not said of this one. */
const list = query<Unanswered>(`
  select ${TRANSFER_COLUMNS}, case when t.unknown_since >= t.sent_at then t.unknown_since end as "unknownSince" from transfers t
  where mode = 'live' and step = 'sending' and sent_at < clock_timestamp() - $1 * interval '1 millisecond'
    and ($2::text is null or reference = $2)
  order by created_at limit ${LISTED_MAX}`);

export const listUnanswered = (
  tx: Session,
  { sinceMs, reference }: { sinceMs: number; reference: string | undefined },
): Promise<Unanswered[]> => list(tx, [sinceMs, reference ?? null]);

const find = statement<Transfer>(`
  select ${TRANSFER_COLUMNS} from transfers t where reference = $1 and merchant_id = $2 and mode = 'live'`);

export async function findLivePayout(
  tx: Session,
  payout: { reference: string; merchant_id: string },
): Promise<Transfer | undefined> {
  const [found] = await find(tx, [payout.reference, payout.merchant_id]);
  return found;
}

const UNANSWERED = `reference = $1 and mode = 'live' and step = $2 and sent_at = $3
  and sent_at < clock_timestamp() - $4 * interval '1 millisecond'`;

const end = statement<Transfer>(`
  update transfers t set step = 'decided', resolution = $5, verdict = $6, failure_code = $7, failure_reason = $8, attempts = 0,
    next_at = clock_timestamp()
  where ${UNANSWERED} returning ${TRANSFER_COLUMNS}`);

type Since = { sinceMs: number };

/** The ledger books the end next. */
export async function storeResolution(
  tx: Session,
  { reference, sentAt }: Transfer,
  { resolution, sinceMs }: Since & { resolution: Resolution },
): Promise<Transfer | undefined> {
  const verdict = verdictOf(resolution);
  const reason = [verdict.end, verdict.failureCode, verdict.failureReason];
  const [ended] = await end(tx, [reference, "sending", sentAt, sinceMs, JSON.stringify(resolution), ...reason]);
  return ended;
}

/** Sent anew, from now on: the time after which it has failed begins again. As when it is first sent, the switch is locked. */
const claim = statement<Transfer>(`
  with switch as materialized (select stopped from payout_switch for share)
  update transfers t set sent_at = clock_timestamp(), partner = $5, attempts = 0,
    next_at = clock_timestamp() + $6 * interval '1 millisecond'
  where ${UNANSWERED} and coalesce(approval, 'approved') = 'approved' and not (select stopped from switch) returning ${TRANSFER_COLUMNS}`);

/** Only the caller that gets the transfer may order it again, and only once. No caller gets it while payouts are stopped. */
export async function claimToRepeat(
  tx: Session,
  { reference, sentAt }: Transfer,
  { partner, leaseMs, sinceMs }: Since & { partner: string; leaseMs: number },
): Promise<Transfer | undefined> {
  const [claimed] = await claim(tx, [reference, "sending", sentAt, sinceMs, partner, leaseMs]);
  return claimed;
}
