import { answer, serveRequests } from "@collect/bus";
import { eraseCollections, type MerchantScope, MODES, searchPayments, storeSessionCopies } from "@collect/contracts";
import { aMerchant, randomId, startComponents } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useSessions } from "./inbound/sessions-world.ts";

const world = await useSessions();
/** The checkout, which erases its copies of sessions. */
afterAll(
  await startComponents([
    serveRequests(world.others, {
      service: "checkout",
      log: world.log,
      requests: [answer(storeSessionCopies, async () => ({}))],
    }),
  ]),
);
const merchant = aMerchant();
/** The same rows belong to each of these. */
const OWNERS: MerchantScope[] = [
  merchant,
  { ...merchant, mode: merchant.mode === "test" ? "live" : "test" },
  { ...aMerchant(), mode: merchant.mode },
];
const [, otherMode, otherMerchant] = OWNERS as [MerchantScope, MerchantScope, MerchantScope];

const insertsOf = ({ id, mode }: MerchantScope, number: string) => [
  `insert into payers (merchant_id, mode, bank_name, account_number, name) values ('${id}', '${mode}', 'Zenith', '0123456789', 'EMEKA JAMES  Obi')`,
  `insert into sessions (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, amount, amount_requested,
     account_number, account_name, bank_name, is_customer_account, customer_reference, customer_name, details_required, status,
     created_at, expires_at, watch_until, slot_held, metadata)
   values ('pay_mine' || '${number}', '${id}', '${mode}', 'Stores', 'order%_7/ß', 'secret_key', 250073, 250000, '9000000001', 'Stores', 'Test Bank', true, 'cust_7',
     'Ngozi Eze', false, 'expired', now(), now(), now(), false, '{"branch": "Yaba Zwei", "till": "12"}')`,
  `insert into sessions (reference, merchant_id, mode, merchant_name, opened_by, payment_link, link_key, amount, amount_requested,
     account_number, account_name, bank_name, is_customer_account, payer_name, payer_email, details_required, status, created_at, expires_at, watch_until, slot_held)
   values ('pay_link' || '${number}', '${id}', '${mode}', 'Stores', 'payment_link', 'Link' || '${number}', 'key', 80001, 80000, '9000000002', 'Stores', 'Test Bank', false, 'Bola Ade', 'Bola@Example.com', false, 'expired',
     now(), now(), now(), false)`,
  `insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, customer_name, payer_id, amount,
     fee, net, currency, payment_reference, merchant_reference, paid_at, received_at, posted_at)
   select 'int_' || '${number}', 'col_mine' || '${number}', '${id}', '${mode}', '9000000001', 'cust_7', 'Ngozi Eze', p.id, 250073, 2501, 247572, 'NGN', 'pay_mine' || '${number}',
     'order%_7/ß', now(), now(), now() from payers p where p.merchant_id = '${id}' and p.mode = '${mode}'`,
  `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number, account_name,
     step, created_at, metadata)
   values ('trf_mine' || '${number}', '${id}', '${mode}', 'rent-11', 120000, '058', 'GTB', '8000000001', 'CHIDI Okoro', 'reserved', now(), '{"cost": "C-9"}')`,
  `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number, account_name,
     name_withheld, step, created_at)
   values ('trf_veiled' || '${number}', '${id}', '${mode}', 'rent-12', 130000, '058', 'GTB', '8000000002', 'Halima Sani', true, 'reserved', now())`,
  `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number, account_name,
     step, created_at)
   values ('trf_refused' || '${number}', '${id}', '${mode}', 'rent-13', 140000, '058', 'GTB', '8000000003', 'Refused Person', 'refused', now())`,
  `insert into payment_links (slug, merchant_id, mode, merchant_name, key, title, amount)
   values ('Link' || '${number}', '${id}', '${mode}', 'Stores', '${number}', 'School fees, Spring term', 500000)`,
];
const NUMBERS = ["111111", "222222", "333333"];

beforeAll(async () => {
  for (const [index, owner] of OWNERS.entries())
    for (const insert of insertsOf(owner, NUMBERS[index] ?? "")) await world.owner.query(insert);
});

type Found = Awaited<ReturnType<typeof search>>;
const search = (text: string, { id, mode }: MerchantScope = merchant) =>
  world.others.request(searchPayments, { merchant: { id, mode }, text });
/** What of a response is something: kinds with the references of their rows. */
const summary = ({ collections, payers, sessions, transfers, links }: Found) =>
  [
    ...collections.map(({ reference }) => reference),
    ...payers.map(({ name }) => name),
    ...sessions.map(({ reference }) => reference),
    ...transfers.map(({ reference }) => reference),
    ...links.map(({ slug }) => slug),
  ].map((name) => name.replace(/\d{6}$/, ""));
const named = async (text: string) => summary(await search(text));

const PAID = ["col_mine", "pay_mine"];

describe("a search finds", () => {
  test.each([
    ["an amount", "2500", PAID],
    ["an amount with its kobo", "2,500.73", PAID],
    ["an amount of a transfer", "₦1,200.00", ["trf_mine"]],
    ["a payer's name, and what the payer paid", "emeka", ["col_mine", "EMEKA JAMES  Obi"]],
    ["a payer by the second word", "JAM", ["col_mine", "EMEKA JAMES  Obi"]],
    ["a payer by the third word", "obi", ["col_mine", "EMEKA JAMES  Obi"]],
    ["a payer by the account", "0123456789", ["col_mine", "EMEKA JAMES  Obi"]],
    ["a customer", "cust_7", PAID],
    ["an account", "9000000001", ["col_mine"]],
    ["a collection's reference", "col_mine111111", ["col_mine"]],
    ["how a reference begins", "col_mi", ["col_mine"]],
    ["a session's reference", "pay_mine111111", PAID],
    ["the merchant's reference, whatever characters it has", "order%_7/ß", PAID],
    ["how the merchant's reference begins", "order%_7", PAID],
    ["no pattern", "order%", PAID],
    ["an email address", "bola@example.com", ["pay_link"]],
    ["how an email address begins", "BOLA@", ["pay_link"]],
    ["who was to pay", "bola a", ["pay_link"]],
    ["a value of a session's metadata", "yaba zwei", PAID],
    ["a value of a transfer's metadata", "c-9", ["trf_mine"]],
    ["a transfer's reference", "trf_mine", ["trf_mine"]],
    ["the merchant's reference of a transfer", "rent-11", ["trf_mine"]],
    ["the account money was sent to", "8000000001", ["trf_mine"]],
    ["a beneficiary", "okoro", ["trf_mine"]],
    ["an amount of a link", "5,000", ["Link"]],
    ["a link's title", "school fees", ["Link"]],
    ["a word of a link's title", "fees", ["Link"]],
    ["a link", "Link111111", ["Link"]],
  ])("%s: %s", async (_kind, text, expected) => {
    expect(await named(text)).toEqual(expected);
  });

  test.each([
    ["part of a word", "mek"],
    ["the middle of a reference", "mine111"],
    ["another amount", "2500.74"],
    ["a wildcard", "order_"],
    ["a wildcard for everything", "%"],
    ["a key of metadata", "branch"],
    ["half of a metadata value", "yaba"],
    ["a name that is withheld", "Halima"],
    ["a transfer that was refused", "rent-13"],
    ["a person of a refused transfer", "Refused"],
    ["nothing at all", "nothing there"],
  ])("nothing by %s: %s", async (_kind, text) => {
    expect(await named(text)).toEqual([]);
  });
});

test("a transfer whose holder's name is withheld is shown with initials", async () => {
  const { transfers } = await search("8000000002");
  expect(transfers).toMatchObject([{ merchant_reference: "rent-12", account_name: "H*** S***" }]);
});

test("a search finds only what belongs to the merchant in its mode", async () => {
  for (const text of [
    "2500",
    "emeka",
    "cust_7",
    "col_mine",
    "order%_7",
    "bola@example.com",
    "yaba zwei",
    "c-9",
    "rent-11",
    "fees",
  ])
    for (const [index, owner] of OWNERS.entries()) {
      const found = JSON.stringify(await search(text, owner));
      for (const [other, number] of NUMBERS.entries()) if (other !== index) expect(found, text).not.toContain(number);
      expect(found, text).toMatch(/"(reference|slug|name)":/);
    }
  for (const owner of [otherMode, otherMerchant]) expect(summary(await search("col_mine111111", owner))).toEqual([]);
});

test("at most a few of each kind are returned: the newest", async () => {
  const shop = aMerchant();
  await world.owner.query(
    `insert into sessions (reference, merchant_id, mode, merchant_name, opened_by, merchant_reference, amount, amount_requested,
       account_number, account_name, bank_name, is_customer_account, details_required, status, created_at, expires_at, watch_until, slot_held)
     select 'pay_' || $3 || n, $1, $2, 'Stores', 'secret_key', 'o-' || n, 100000 + n, 100000, '9000000003', 'Stores', 'Test Bank', false, false, 'expired',
       now() - (100 - n) * interval '1 second', now(), now(), false from generate_series(10, 99) n`,
    [shop.id, shop.mode, randomId("many")],
  );
  const { sessions } = await search("1000", shop);
  expect(sessions.map(({ merchant_reference }) => merchant_reference)).toEqual(
    [99, 98, 97, 96, 95, 94].map((n) => `o-${n}`),
  );
});

test.each(MODES)("what was erased is not found by it, in %s mode", async (mode) => {
  const shop = { ...aMerchant(), mode };
  const number = randomId("").replace(/\W/g, "").slice(0, 6);
  for (const insert of insertsOf(shop, number)) await world.owner.query(insert);
  expect(summary(await search("Emeka", shop))).not.toEqual([]);
  expect(summary(await search("yaba zwei", shop))).not.toEqual([]);
  const erasure = {
    id: randomId("ers"),
    merchant: { id: shop.id, mode },
    kind: "customer" as const,
    reference: "cust_7",
  };
  await world.others.request(eraseCollections, {
    erasure: { ...erasure, requested_at: "2026-11-22T10:00:00.000+00:00" },
    kind: "customer",
    intake_ids: [`int_${number}`],
  });
  for (const text of ["Emeka", "obi", "0123456789", "yaba zwei"])
    expect(summary(await search(text, shop)), text).toEqual([]);
  expect((await search("cust_7", shop)).collections).toMatchObject([{ payer_name: "Erased", customer_name: "Erased" }]);
});

test.each(["", "  ", "a\u0000b", "line\nbreak", "x".repeat(101)])("a search for %j is refused", async (text) => {
  await expect(search(text)).rejects.toMatchObject({ code: "validation_failed", errors: [{ param: "text" }] });
});

test.each(["'; drop table sessions; --", "\\", "\ud800", "𝒻", "ʼ", "9".repeat(100), "₦", "&|!:*", "\u{10ffff}"])(
  "a search for %j is answered",
  async (text) => {
    expect(summary(await search(text))).toEqual([]);
  },
);
