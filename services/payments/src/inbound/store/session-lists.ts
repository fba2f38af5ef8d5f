import type { MerchantScope, SessionStatus } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import { type Page, pageValues } from "../../domain/page.ts";
import type { PaymentSession } from "../domain/session.ts";
import { SESSION_COLUMNS } from "./sessions.ts";

/** Session lists for the dashboard. */

const SCOPE = "s.merchant_id = $1 and s.mode = $2";
const BEHIND = "s.created_at >= $3::timestamptz and (s.created_at, s.reference) < ($4::timestamptz, $5)";
const IN_ORDER = "order by s.created_at desc, s.reference desc limit $6";
const OF_CUSTOMER = "($8::text is null or s.customer_reference = $8)";
const THROUGH_LINK = "($9::text is null or s.payment_link = $9)";

/** Each status is a walk of its own along an index: however few sessions have one, no others are read. */
const byStatus = (where: string) =>
  statement<PaymentSession>(`
  select s.* from unnest($7::text[]) as wanted (status) cross join lateral (
    select ${SESSION_COLUMNS} from sessions s where ${where} and s.status = wanted.status and ${BEHIND} ${IN_ORDER}
  ) s order by s."createdAt" desc, s.reference desc limit $6`);

const ofMerchant = byStatus(SCOPE);
const ofCustomer = byStatus(`s.customer_reference = $8 and ${SCOPE} and ${THROUGH_LINK}`);
const throughLink = byStatus(`s.payment_link = $8 and s.payment_link is not null and ${SCOPE}`);

const FILTERED = `${SCOPE} and ${BEHIND} and s.status = any($7::text[]) and ${OF_CUSTOMER} and ${THROUGH_LINK}`;

// Only with a public key a reference of the merchant's may be of many sessions.
const found = statement<PaymentSession>(`
  with named as materialized (select * from sessions where reference = $10),
    ordered as materialized (select * from sessions s
      where s.opened_by = 'secret_key' and s.merchant_reference = $10 and ${SCOPE})
  select * from (
    (select ${SESSION_COLUMNS} from named s where ${FILTERED})
    union (select ${SESSION_COLUMNS} from ordered s where ${FILTERED})
    union (select ${SESSION_COLUMNS} from sessions s
      where s.opened_by = 'public_key' and s.merchant_reference = $10 and ${FILTERED} ${IN_ORDER})
  ) s order by s."createdAt" desc, s.reference desc limit $6`);

export type SessionFilter = {
  statuses: readonly SessionStatus[];
  customerReference: string | undefined;
  paymentLink: string | undefined;
  search: string | undefined;
};

/** A page of a merchant's sessions. */
export function listSessions(
  tx: Session,
  merchant: MerchantScope,
  { page, filter }: { page: Page; filter: SessionFilter },
): Promise<PaymentSession[]> {
  const { statuses, customerReference, paymentLink, search } = filter;
  const values = [merchant.id, merchant.mode, ...pageValues(page), statuses];
  if (search !== undefined) return found(tx, [...values, customerReference, paymentLink, search]);
  if (customerReference !== undefined) return ofCustomer(tx, [...values, customerReference, paymentLink]);
  return paymentLink === undefined ? ofMerchant(tx, values) : throughLink(tx, [...values, paymentLink]);
}
