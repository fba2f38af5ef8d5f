import type { Hold, MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import type { Transfer } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

const hold = statement<Transfer>(`
  update transfers t set step = 'reserved', sent_at = null, partner = null, held_for = $2,
    next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and step = $4 and attempts = 0 and sent_at = $5 returning ${TRANSFER_COLUMNS}`);

/**
 * Takes a claim for sending back, for the process that made it and has not called the bank. Undefined if another process has
 * found the claim abandoned in the meantime, and enquires.
 */
export async function takeBack(
  tx: Session,
  { reference, sentAt }: Transfer,
  { heldFor, waitMs }: { heldFor: Hold | null; waitMs: number },
): Promise<Transfer | undefined> {
  const [held] = await hold(tx, [reference, heldFor, waitMs, "sending", sentAt]);
  return held;
}

const release = statement<{ reference: string }>(`
  with due as (
    select reference from transfers
    where held_for = $1 and ($2::text is null or merchant_id = $2) and step = $3
    order by reference for update
  )
  update transfers t set next_at = clock_timestamp() from due where t.reference = due.reference returning t.reference`);

/** Makes held transfers due now. They stay marked until they are sent, so a repeat finds those that still are. */
export async function releaseHeld(tx: Session, heldFor: Hold, merchantId: string | null): Promise<number> {
  return (await release(tx, [heldFor, merchantId, "reserved"])).length;
}

type Held = { held_for: Hold; count: number; sum: bigint };
const held = statement<Held>(`
  select held_for, count(*)::integer as count, sum(amount)::bigint as sum from transfers
  where held_for is not null and ($1::text is null or (merchant_id = $1 and mode = $2)) group by held_for order by held_for`);

/** Orders that wait, of one merchant or of all. */
export const countHeld = (tx: Session, merchant: MerchantScope | null): Promise<Held[]> =>
  held(tx, [merchant?.id ?? null, merchant?.mode ?? null]);

/**
 * Claimed for sending, and the bank has not answered: its call may be in flight, or about to begin. What a process left
 * behind when it died is counted until its lease ends; from then on it is only enquired about.
 */
const inFlight = statement<{ count: number }>(`
  select count(*)::integer as count from transfers
  where mode = 'live' and step = $3 and attempts = 0 and next_at > clock_timestamp()
    and sent_at > clock_timestamp() - $2 * interval '1 millisecond' and ($1::text is null or merchant_id = $1)`);

const ownClaim = statement<{ reference: string }>(`
  select reference from transfers
  where reference = $1 and step = $4 and sent_at = $2 and sent_at > time_of(merchant_id, mode) - $3 * interval '1 millisecond'`);

/**
 * Whether the process that made this claim may still call the bank: by the database's clock, since its own stands still while its
 * machine is paused, and others enquire by then. An enquiry that began before the claim may have ended since: it changes nothing.
 */
export async function isInFlight(tx: Session, { reference, sentAt }: Transfer, leaseMs: number): Promise<boolean> {
  return (await ownClaim(tx, [reference, sentAt, leaseMs, "sending"])).length > 0;
}

export async function countInFlight(
  tx: Session,
  { merchantId, leaseMs }: { merchantId: string | null; leaseMs: number },
): Promise<number> {
  const [row] = await inFlight(tx, [merchantId, leaseMs, "sending"]);
  return row?.count ?? 0;
}
