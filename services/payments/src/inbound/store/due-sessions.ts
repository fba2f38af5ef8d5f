import type { Mode } from "@collect/contracts";
import { type Pool, query, type Session, statement, transaction } from "@collect/database";
import { applyEvent, type PaymentSession } from "../domain/session.ts";
import { LOCKED_AT, type LockedSession, SESSION_COLUMNS, storeSessions } from "./sessions.ts";

/** A session that has ended. `isFinal`: its watch window is over too. */
export type DueSession = {
  reference: string;
  mode: Mode;
  /** Null: it never had one, and no transfer can be for it. */
  accountNumber: string | null;
  payableSince: string;
  expiresAt: string;
  isFinal: boolean;
};

const due = statement<DueSession>(`
  select reference, mode, account_number as "accountNumber", coalesce(quoted_at, created_at) as "payableSince", expires_at as "expiresAt", watch_until <= now() as "isFinal"
  from sessions
  where status in ('pending', 'processing') and expires_at <= now() - $1::integer * interval '1 millisecond'
    and (expires_at, reference) > (coalesce($2::timestamptz, '-infinity'), coalesce($3, ''))
  order by expires_at, reference limit $4`);

/** A page of the sessions that ended at least `graceMs` ago, oldest first. */
export function pageOfDue(
  tx: Session,
  page: { graceMs: number; after: DueSession | undefined; pageMax: number },
): Promise<DueSession[]> {
  return due(tx, [page.graceMs, page.after?.expiresAt, page.after?.reference, page.pageMax]);
}

const lockFree = statement<LockedSession>(`
  select ${SESSION_COLUMNS}, ${LOCKED_AT} from sessions s
  where s.reference = any($1::text[]) order by s.reference for update skip locked`);

/**
 * Expires the sessions that have still ended. A locked session is being changed by another transaction, and is left for
 * the next run.
 */
export function expireSessions(pool: Pool, references: string[]): Promise<PaymentSession[]> {
  return transaction(pool, async (tx) => {
    const locked = await lockFree(tx, [references]);
    const expired = locked.flatMap((session) => applyEvent(session, { kind: "time_up", at: session.lockedAt }) ?? []);
    return storeSessions(tx, expired);
  });
}

const release = statement<{ reference: string }>(`
  update sessions set slot_held = false, client = null where reference = any(array(
    select reference from sessions where slot_held and watch_until <= now()
    order by watch_until limit $1 for update skip locked))
  returning reference`);

/** Releases the slots of sessions whose watch window is over, at most `limit`. Returns their number. */
export async function releaseLapsedSlots(tx: Session, limit: number): Promise<number> {
  return (await release(tx, [limit])).length;
}

const dueOf = query<{ reference: string }>(`
  select reference from sessions
  where merchant_id = $1 and mode = 'test' and status in ('pending', 'processing') and expires_at <= $2::timestamptz
  order by expires_at, reference limit $3`);

/** The sessions of a merchant in test mode that have ended at this time of its test clock, oldest first. */
export async function dueSessionsOf(tx: Session, merchantId: string, given: { at: string; limit: number }) {
  return (await dueOf(tx, [merchantId, given.at, given.limit])).map(({ reference }) => reference);
}

const releaseOf = query<{ reference: string }>(`
  update sessions set slot_held = false, client = null where reference = any(array(
    select reference from sessions where slot_held and merchant_id = $1 and mode = 'test' and watch_until <= $2::timestamptz
    order by watch_until limit $3 for update skip locked))
  returning reference`);

/** Releases the slots of a merchant in test mode whose watch window is over at this time of its test clock. Returns their number. */
export async function releaseSlotsOf(tx: Session, merchantId: string, given: { at: string; limit: number }) {
  return (await releaseOf(tx, [merchantId, given.at, given.limit])).length;
}

const nextOf = query<{ next_at: string | null }>(`
  select min(expires_at) as next_at from sessions
  where merchant_id = $1 and mode = 'test' and status in ('pending', 'processing') and expires_at > $2::timestamptz`);

/** When the next of these sessions ends. */
export async function nextExpiryOf(tx: Session, merchantId: string, at: string): Promise<string | null> {
  return (await nextOf(tx, [merchantId, at]))[0]?.next_at ?? null;
}

export type OverdueSessions = { mode: Mode; count: number; oldest_expires_at: string };

/** Sessions that ended over a minute ago and are still open. */
export const countOverdueSessions = statement<OverdueSessions>(`
  select mode, count(*)::integer as count, min(expires_at) as oldest_expires_at from sessions
  where status in ('pending', 'processing') and expires_at <= now() - interval '1 minute' group by mode order by mode`);
