import type { MerchantScope } from "@collect/contracts";
import { query, type Session, statement, type Transaction } from "@collect/database";
import type { LinkTerms, PaymentLink } from "../domain/payment-link.ts";
import type { PaymentSession } from "../domain/session.ts";
import { SESSION_COLUMNS } from "./sessions.ts";

/** A link, and the database's time when it was read: its expiry is judged by one clock. */
export type ReadLink = PaymentLink & { readAt: string };

export const LINK_COLUMNS = `l.slug, l.merchant_id as "merchantId", l.mode, l.merchant_name as "merchantName", l.title, l.description,
  l.amount, l.expires_at as "expiresAt", l.uses_max as "usesMax", l.disabled, l.uses, l.uses_unpaid as "usesUnpaid", l.collected,
  l.created_at as "createdAt", time_of(l.merchant_id, l.mode)::timestamptz(3) as "readAt"`;

export type NewLink = LinkTerms & Pick<PaymentLink, "slug" | "merchantId" | "mode" | "merchantName"> & { key: string };

const insert = statement<ReadLink>(`
  insert into payment_links as l (slug, merchant_id, mode, merchant_name, key, title, description, amount, expires_at, uses_max, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, time_of($2, $3))
  on conflict (key, merchant_id, mode) do nothing
  returning ${LINK_COLUMNS}`);

/** Undefined when a link with the same key exists. */
export async function insertLink(tx: Session, link: NewLink): Promise<ReadLink | undefined> {
  const terms = [link.title, link.description, link.amount, link.expiresAt, link.usesMax];
  const [inserted] = await insert(tx, [link.slug, link.merchantId, link.mode, link.merchantName, link.key, ...terms]);
  return inserted;
}

const findByKey = statement<ReadLink>(
  `select ${LINK_COLUMNS} from payment_links l where l.merchant_id = $1 and l.mode = $2 and l.key = $3`,
);

export async function findLinkByKey(tx: Session, merchant: MerchantScope, key: string): Promise<ReadLink | undefined> {
  const [link] = await findByKey(tx, [merchant.id, merchant.mode, key]);
  return link;
}

const find = statement<ReadLink>(`select ${LINK_COLUMNS} from payment_links l where l.slug = $1`);

/** Of any merchant: a payer knows only the slug. */
export async function findLink(tx: Session, slug: string): Promise<ReadLink | undefined> {
  const [link] = await find(tx, [slug]);
  return link;
}

const findOf = query<ReadLink>(
  `select ${LINK_COLUMNS} from payment_links l where l.slug = $3 and l.merchant_id = $1 and l.mode = $2`,
);

export async function findLinkOf(tx: Session, merchant: MerchantScope, slug: string): Promise<ReadLink | undefined> {
  const [link] = await findOf(tx, [merchant.id, merchant.mode, slug]);
  return link;
}

const setDisabled = statement<ReadLink>(`
  update payment_links l set disabled = $4 where l.slug = $3 and l.merchant_id = $1 and l.mode = $2
  returning ${LINK_COLUMNS}`);

export async function setLinkDisabled(
  tx: Session,
  merchant: MerchantScope,
  { slug, disabled }: { slug: string; disabled: boolean },
): Promise<ReadLink | undefined> {
  const [link] = await setDisabled(tx, [merchant.id, merchant.mode, slug, disabled]);
  return link;
}

const lock = statement<ReadLink>(`select ${LINK_COLUMNS} from payment_links l where l.slug = $1 for no key update`);

/**
 * Locks the link until the transaction ends: no concurrent transaction takes or returns a use of it, or disables it.
 */
export async function lockLink(tx: Transaction, slug: string): Promise<ReadLink | undefined> {
  const [link] = await lock(tx, [slug]);
  return link;
}

/** Looks up the key first: a plan made while the table is small would otherwise scan all sessions of the link. */
const findSession = statement<PaymentSession>(`
  with s as materialized (select * from sessions where link_key = $2)
  select ${SESSION_COLUMNS} from s where s.payment_link = $1`);

/** The session that was created through the link with this key. */
export async function findLinkSession(
  tx: Session,
  { slug, key }: { slug: string; key: string },
): Promise<PaymentSession | undefined> {
  const [session] = await findSession(tx, [slug, key]);
  return session;
}
