import type { MerchantScope } from "@collect/contracts";
import { columns, type Pool, type Session, statement, type Transaction, transaction } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import type { AttachedCollection } from "../domain/session-view.ts";

/** Reads and changes sessions; create-session.ts inserts them. */

export const SESSION_COLUMNS = `s.reference, s.merchant_id as "merchantId", s.mode, s.merchant_name as "merchantName",
  s.merchant_reference as "merchantReference", s.opened_by as "openedBy", s.payment_link as "paymentLink", s.link_key as "linkKey", s.client_nonce as "clientNonce", s.amount, s.amount_requested as "amountRequested",
  s.amount_received as "amountReceived", s.amount_reversed as "amountReversed", s.account_number as "accountNumber", s.account_name as "accountName",
  s.bank_name as "bankName", s.quoted_at as "quotedAt", s.customer_reference as "customerReference", s.customer_name as "customerName",
  s.payer_name as "payerName", s.payer_email as "payerEmail", s.details_required as "detailsRequired", s.description,
  s.redirect_url as "redirectUrl", s.status, s.created_at as "createdAt", s.expires_at as "expiresAt", s.sent_at as "sentAt",
  s.watch_until as "watchUntil", s.paid_at as "paidAt", s.metadata, s.version`;

const read = statement<PaymentSession>(
  `select ${SESSION_COLUMNS} from sessions s where s.reference = any($1::text[]) order by s.reference`,
);
/** The sessions with these references, of any merchant; unknown ones are left out. */
export const readSessionsOf = (tx: Session, references: string[]): Promise<PaymentSession[]> => read(tx, [references]);

type AttachedRow = PaymentSession & {
  collectionReference: string | null;
  collectionAmount: bigint;
  collectionReversed: bigint;
  fee: bigint;
  net: bigint;
  collectionPaidAt: string;
};

// One statement, so that the collections add up to the amount received.
const readWithCollections = statement<AttachedRow>(`
  select ${SESSION_COLUMNS}, c.reference as "collectionReference", c.amount as "collectionAmount",
    c.amount_reversed as "collectionReversed", c.fee, c.net,
    c.paid_at as "collectionPaidAt"
  from sessions s left join collections c on c.payment_reference = s.reference
  where s.reference = any($1::text[]) and s.merchant_id = $2 and s.mode = $3
  order by c.received_at, c.intake_id`);

export type PaidSession = { session: PaymentSession; collections: AttachedCollection[] };

/** A merchant's sessions with these references and their collections, in the order of the references. */
export async function findPaymentsOf(
  tx: Session,
  merchant: MerchantScope,
  references: string[],
): Promise<PaidSession[]> {
  const rows = await readWithCollections(tx, [references, merchant.id, merchant.mode]);
  const byReference = Map.groupBy(rows, ({ reference }) => reference);
  return references.flatMap((reference) => {
    const attached = byReference.get(reference) ?? [];
    const [session] = attached;
    return session ? [{ session, collections: attached.flatMap(collectionOf) }] : [];
  });
}

export async function findPaymentOf(
  tx: Session,
  merchant: MerchantScope,
  reference: string,
): Promise<PaidSession | undefined> {
  const [found] = await findPaymentsOf(tx, merchant, [reference]);
  return found;
}

const opened = statement<{ reference: string }>(`
  select reference from sessions
  where opened_by = 'secret_key' and merchant_id = $1 and mode = $2 and merchant_reference = $3`);

/** The one that a merchant's server created under its own reference. */
export async function findOpenedPayment(
  tx: Session,
  merchant: MerchantScope,
  merchantReference: string,
): Promise<PaidSession | undefined> {
  const [found] = await opened(tx, [merchant.id, merchant.mode, merchantReference]);
  return found && findPaymentOf(tx, merchant, found.reference);
}

function collectionOf({ collectionReference: reference, collectionAmount: amount, fee, net, ...row }: AttachedRow) {
  if (reference === null) return [];
  return [{ reference, amount, fee, net, paidAt: row.collectionPaidAt, amountReversed: row.collectionReversed }];
}

export type LockedSession = PaymentSession & { lockedAt: string };
/** The merchant's time, of `sessions s`. */
export const LOCKED_AT = 'time_of(s.merchant_id, s.mode)::timestamptz(3) as "lockedAt"';

const lock = statement<LockedSession>(`
  select ${SESSION_COLUMNS}, ${LOCKED_AT} from sessions s
  where s.reference = any($1::text[]) order by s.reference for update`);
/** Locks the sessions until the transaction ends. Every caller locks in the order of the references. */
export const lockSessions = (tx: Transaction, references: string[]): Promise<LockedSession[]> => lock(tx, [references]);

const store = statement<PaymentSession>(`
  update sessions s set status = n.status, amount_received = n.amount_received, expires_at = n.expires_at,
    sent_at = n.sent_at, watch_until = n.watch_until, paid_at = n.paid_at, payer_name = n.payer_name,
    payer_email = n.payer_email, details_required = n.details_required, version = s.version + 1
  from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
    $8::text[], $9::text[], $10::boolean[]) as n (reference, status, amount_received, expires_at, sent_at, watch_until, paid_at,
    payer_name, payer_email, details_required)
  where s.reference = n.reference
  returning ${SESSION_COLUMNS}`);

/** Stores changes to sessions that this transaction has locked. */
export async function storeSessions(tx: Transaction, sessions: PaymentSession[]): Promise<PaymentSession[]> {
  if (sessions.length === 0) return [];
  const lifecycle = columns(
    sessions,
    "reference",
    "status",
    "amountReceived",
    "expiresAt",
    "sentAt",
    "watchUntil",
    "paidAt",
  );
  return store(tx, [...lifecycle, ...columns(sessions, "payerName", "payerEmail", "detailsRequired")]);
}

/**
 * Changes one session under its lock. `change` returns the session after the change, or undefined to leave it
 * unchanged. Returns the stored session and whether it changed; undefined when it does not exist.
 */
export function changeSession(
  pool: Pool,
  reference: string,
  change: (session: LockedSession) => PaymentSession | undefined,
): Promise<{ session: PaymentSession; isChanged: boolean } | undefined> {
  return transaction(pool, async (tx) => {
    const [session] = await lockSessions(tx, [reference]);
    const changed = session && change(session);
    const [stored] = changed ? await storeSessions(tx, [changed]) : [];
    return session && { session: stored ?? session, isChanged: stored !== undefined };
  });
}
