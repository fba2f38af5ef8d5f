import { type MerchantScope, SEARCHED_MAX, SESSION_STATUSES, type SessionStatus } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { Sought } from "../../domain/sought.ts";
import {
  begins,
  beginsInAnyCase,
  hasMoreReferences,
  LISTED,
  MAX,
  OWN,
  ofAmounts,
  ofMetadata,
  ofReferences,
  type Searched,
  searchOf,
  wordBegins,
} from "../../store/search-terms.ts";

/** The few best payers, sessions, links and collections for a text, for the dashboard's search. */

export type FoundPayer = { id: bigint; name: string; accountNumber: string; bankName: string };
export type FoundSession = {
  reference: string;
  merchantReference: string | null;
  name: string | null;
  amount: bigint;
  status: SessionStatus;
  createdAt: string;
};
export type FoundLink = { slug: string; title: string; amount: bigint | null };
export type FoundCollection = {
  reference: string;
  amount: bigint;
  payerName: string;
  customerName: string | null;
  paidAt: string;
};

const foundPayers = (max: string) => `
    (select id from payers where ${OWN} and account_number = $3 and account_number <> '' order by id ${max})
    union (select id from payers where ${OWN} and ${beginsInAnyCase("name", max)})
    union (select id from payers where ${OWN} and ${wordBegins("name", 2, max)})
    union (select id from payers where ${OWN} and ${wordBegins("name", 3, max)})`;

const payers = query<FoundPayer>(`
  with found as (${foundPayers(MAX)})
  select p.id, p.name, p.account_number as "accountNumber", p.bank_name as "bankName" from found join payers p using (id)
  order by p.id desc ${MAX}`);

export const findPayers = (pool: Pool, { id, mode }: MerchantScope, { text }: Sought): Promise<FoundPayer[]> =>
  payers(pool, [id, mode, text]);

const payersOfList = searchOf(foundPayers(LISTED), { key: "id", newest: "id desc" });
export const searchPayers = (pool: Pool, { id, mode }: MerchantScope, { text }: Sought) =>
  payersOfList(pool, [id, mode, text]);

/** A customer's sessions are walked by status, as their index has them. */
const foundSessions = (max: string) => `
    (select reference, created_at from (${ofReferences("sessions", OWN, max)}) as own)
    union (select reference, created_at from sessions where ${OWN} and ${begins('merchant_reference collate "C"', max)})
    union (select reference, created_at from sessions where ${OWN} and ${beginsInAnyCase("payer_email", max)})
    union (select reference, created_at from sessions where ${OWN} and ${beginsInAnyCase("payer_name", max)})
    union select s.* from unnest($4::text[]) as wanted (status) cross join lateral (
      select reference, created_at from sessions where customer_reference = $3 and ${OWN} and status = wanted.status
      order by created_at desc, reference desc ${max}) s
    union ${ofAmounts("sessions", { from: "$5", to: "$6", where: OWN, newest: ["created_at", "reference"] }, max)}
    union ${ofMetadata("sessions", "reference", max)}`;

const sessions = query<FoundSession>(`
  with found as (${foundSessions(MAX)})
  select reference, merchant_reference as "merchantReference", coalesce(customer_name, payer_name) as name, amount, status,
    created_at as "createdAt"
  from sessions where ${OWN} and reference in (select reference from found order by created_at desc, reference desc ${MAX})
  order by created_at desc, reference desc`);

const ofSessions = ({ id, mode }: MerchantScope, { text, amounts }: Sought) => [
  ...[id, mode, text, SESSION_STATUSES],
  ...[amounts?.from, amounts?.to],
];

export const findSessions = (pool: Pool, merchant: MerchantScope, sought: Sought): Promise<FoundSession[]> =>
  sessions(pool, ofSessions(merchant, sought));

const sessionsOfList = searchOf(foundSessions(LISTED), {
  key: "reference",
  newest: "created_at desc, reference desc",
  isCut: hasMoreReferences("sessions"),
});
export const searchSessions = (pool: Pool, merchant: MerchantScope, sought: Sought) =>
  sessionsOfList(pool, ofSessions(merchant, sought));

const foundLinks = (max: string) => `
    (select slug from payment_links where ${OWN} and slug = $3)
    union (select slug from payment_links where ${OWN} and ${beginsInAnyCase("title", max)})
    union (select slug from payment_links where ${OWN} and ${wordBegins("title", 2, max)})
    union (select slug from payment_links where ${OWN} and ${wordBegins("title", 3, max)})
    union (select slug from (
      ${ofAmounts("payment_links", { from: "$4", to: "$5", where: OWN, newest: ["created_at", "slug"] }, max)}) as priced)`;

const links = query<FoundLink>(`
  with found as (${foundLinks(MAX)})
  select l.slug, l.title, l.amount from found join payment_links l using (slug) order by l.created_at desc, l.slug desc ${MAX}`);

const ofLinks = ({ id, mode }: MerchantScope, { text, amounts }: Sought) => [
  ...[id, mode, text],
  ...[amounts?.from, amounts?.to],
];

export const findLinks = (pool: Pool, merchant: MerchantScope, sought: Sought): Promise<FoundLink[]> =>
  links(pool, ofLinks(merchant, sought));

const linksOfList = searchOf(foundLinks(LISTED), { key: "slug", newest: "slug" });
export const searchLinks = (pool: Pool, merchant: MerchantScope, sought: Sought) =>
  linksOfList(pool, ofLinks(merchant, sought));

/** An order's collections are those of its sessions, too: so are they found by the beginning of its reference. */
const foundCollections = (max: string, ofEach = max) => `
    (select intake_id, paid_at from (${ofReferences("collections", OWN, max)}) as own)
    union (select intake_id, paid_at from collections where ${OWN} and customer_reference = $3
      order by paid_at desc, intake_id desc ${max})
    union (select intake_id, paid_at from collections where ${OWN} and account_number = $3 order by paid_at desc ${max})
    union (select intake_id, paid_at from collections where ${OWN} and merchant_reference = $3
      order by paid_at desc, intake_id desc ${max})
    union select c.* from unnest($4::bigint[]) as payer (id) cross join lateral (
      select intake_id, paid_at from collections where ${OWN} and payer_id = payer.id order by paid_at desc ${ofEach}) c
    union select c.* from unnest($5::text[]) as session (reference) cross join lateral (
      select intake_id, paid_at from collections where ${OWN} and payment_reference = session.reference
      order by paid_at desc ${MAX}) c
    union ${ofAmounts("collections", { from: "$6", to: "$7", where: OWN, newest: ["paid_at", "intake_id"] }, max)}`;

const collections = query<FoundCollection>(`
  with found as (${foundCollections(MAX)})
  select c.reference, c.amount, p.name as "payerName", c.customer_name as "customerName", c.paid_at as "paidAt"
  from (select intake_id from found order by paid_at desc, intake_id desc ${MAX}) as newest
  join collections c using (intake_id) join payers p on p.id = c.payer_id
  order by c.paid_at desc, c.intake_id desc`);

/** With those of the payers and sessions that were found. */
export const findCollections = (
  pool: Pool,
  { id, mode }: MerchantScope,
  { text, amounts, payers, sessions }: Sought & { payers: FoundPayer[]; sessions: FoundSession[] },
): Promise<FoundCollection[]> => {
  const [payerIds, references] = [payers.map((payer) => payer.id), sessions.map(({ reference }) => reference)];
  return collections(pool, [id, mode, text, payerIds, references, amounts?.from, amounts?.to]);
};

/** Of many payers a few collections each: some 2,000 are read in all. */
const OF_EACH = `least(${SEARCHED_MAX + 1}, greatest(10, ${SEARCHED_MAX * 10} / greatest(1, cardinality($4::bigint[]))))`;
const collectionsOfList = searchOf(foundCollections(LISTED, `limit ${OF_EACH}`), {
  key: "intake_id",
  newest: "paid_at desc, intake_id desc",
  isCut: `${hasMoreReferences("collections")} or exists (select from unnest($4::bigint[]) as payer (id) where exists (
    select from collections where ${OWN} and payer_id = payer.id offset ${OF_EACH}))`,
});

/** With those of the payers and sessions that their own lists show for the text. */
export async function searchCollections(pool: Pool, merchant: MerchantScope, sought: Sought): Promise<Searched> {
  const [payers, sessions] = await Promise.all([
    searchPayers(pool, merchant, sought),
    searchSessions(pool, merchant, sought),
  ]);
  const { text, amounts } = sought;
  const found = [payers.keys, sessions.keys, amounts?.from, amounts?.to];
  const { keys, isPartial } = await collectionsOfList(pool, [merchant.id, merchant.mode, text, ...found]);
  return { keys, isPartial: isPartial || payers.isPartial || sessions.isPartial };
}
