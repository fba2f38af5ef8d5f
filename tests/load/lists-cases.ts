import type { Bus } from "@collect/bus";
import {
  browseCollections,
  browseCustomerAccounts,
  browsePayers,
  browsePaymentLinks,
  browsePayments,
  browseSettlementLines,
  browseSettlements,
  browseTransfers,
  countInboundExceptions,
  findEvents,
  getCollection,
  getInboundTransfer,
  getWebhookHealth,
  listExceptions,
  type Merchant,
  readCollections,
  showPayment,
  sumCollectionDays,
} from "@collect/contracts";
import { ROWS, WIDE } from "./lists-fill.ts";

/** One list request: its filters, and the cursor of a deep page. */
export type ListCase = {
  name: string;
  ask: (bus: Bus, merchant: Merchant, after?: string) => Promise<unknown>;
  deep?: string;
};

/** The time of row `n`, as in lists-fill.ts. */
export const at = (n: number) => new Date(Date.UTC(2026, 7, 1) + n * 8_000).toISOString().replace("Z", "+00:00");
export const cursor = (...keys: (string | number)[]) =>
  Buffer.from(JSON.stringify(keys.map(String))).toString("base64url");

/** The row at nine tenths of a list, newest first. */
export const DEEP = ROWS / 10;
export const [from, before] = [at(ROWS * 0.4), at(ROWS * 0.5)];

export const byTime = (prefix: string) => cursor(at(DEEP), `${prefix}${DEEP}`);

/** A list with each of its filters. A search term belongs to one merchant; for the others the search must return nothing. */
export function listed(
  list: string,
  page: string,
  ask: (filter: object) => ListCase["ask"],
  filters: Record<string, object>,
): ListCase[] {
  return Object.entries(filters).map(([filter, given]) => ({
    name: `${list}: ${filter}`,
    ask: ask(given),
    deep: page,
  }));
}

/** Fifty references, as many as a page has. */
const selected = (prefix: string) => Array.from({ length: 50 }, (_, n) => `${prefix}${200_000 + n}`).join();

export const LIST_CASES: ListCase[] = [
  ...listed(
    "collections",
    byTime("int_"),
    (filter) => (bus, merchant, after) => bus.request(browseCollections, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { from, before },
      "a customer of a fifth": { customer_reference: "hot" },
      "a regular customer": { customer_reference: "regular" },
      "a former customer": { customer_reference: "former" },
      "a customer, a month": { customer_reference: "regular", from, before },
      "a payer of a fifth": { payer_id: "10" },
      "a payer": { payer_id: "1004" },
      "what matches nothing": { match: "none" },
      "a payer and a customer": { payer_id: "10", customer_reference: "hot" },
      "search a reference": { search: `col_${ROWS / 2}` },
      "search a payment": { search: "pay_200002" },
      "search an order": { search: "order-200002" },
      "search an account of a fifth": { search: "9000000000" },
      "search a former customer": { search: "former" },
      "search nothing there": { search: "nothing" },
      "search an amount of all": { search: "100" },
      "search a common name": { search: "ife" },
      "search metadata of a quarter": { search: "yaba" },
      "an amount from, that most have": { amount_from: "1" },
      selected: { references: selected("col_") },
      "search, a customer, a month": { search: "hot", customer_reference: "hot", from, before },
    },
  ),
  ...listed(
    "payers",
    cursor(DEEP),
    (filter) => (bus, merchant, after) => bus.request(browsePayers, { merchant, after, ...filter }),
    {
      all: {},
      "search a common name": { search: "ife" },
      "search a name": { search: "Ife Ade 800018" },
      "search one letter": { search: "a" },
      "search an account number": { search: "0000000014" },
      "search an account of many": { search: "7777777777" },
      "search nothing there": { search: "nothing" },
    },
  ),
  ...listed(
    "sessions",
    byTime("pay_"),
    (filter) => (bus, merchant, after) => bus.request(browsePayments, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { from, before },
      "most have the status": { status: "paid" },
      "few have the status": { status: "overpaid" },
      "none has the status": { status: "processing" },
      "a customer of a fifth": { customer_reference: "hot" },
      "a regular customer": { customer_reference: "regular" },
      "a former customer": { customer_reference: "former" },
      "a former customer, few have the status": { customer_reference: "former", status: "overpaid" },
      "a link of a fifth": { payment_link: "paymentLnk" },
      "a link, few have the status": { payment_link: "paymentLnk", status: "overpaid" },
      "search a reference": { search: "pay_200002" },
      "search an order": { search: "order-200002" },
      "search an order of a fifth": { search: "donation" },
      "search nothing there": { search: "nothing" },
      "search an amount of all": { search: "10000" },
      "search a common name": { search: "ife" },
      "search metadata of a quarter": { search: "yaba" },
      "an amount from, that few have": { amount_from: "10000.02" },
      "an amount to, that most have": { amount_to: "10000.01", status: "paid" },
      selected: { references: selected("pay_") },
      "search, status, a month": { search: "donation", status: "expired", from, before },
    },
  ),
  ...listed(
    "transfers",
    byTime("trf_"),
    (filter) => (bus, merchant, after) => bus.request(browseTransfers, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { from, before },
      "most have the status": { status: "success" },
      "few have the status": { status: "reversed" },
      "none has the status": { status: "pending" },
      "search a reference": { search: "trf_200002" },
      "search an order": { search: "order-200002" },
      "search an account of a fifth": { search: "8000000000" },
      "search an account": { search: "0000200002" },
      "search nothing there": { search: "nothing" },
      "search an amount of all": { search: "100" },
      "search a common name": { search: "ada" },
      "an amount from, that none has": { amount_from: "101" },
      "to an account of a fifth": { account_number: "8000000000" },
      "to an account": { account_number: "0000200002", amount_from: "100", amount_to: "100", status: "success" },
      "to an account of none": { account_number: "9999999999" },
      "search and few have the status": { search: "8000000000", status: "reversed" },
    },
  ),
  ...listed(
    "payment links",
    cursor(at(DEEP), "zk"),
    (filter) => (bus, merchant, after) => bus.request(browsePaymentLinks, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { from, before },
      "search a title of all": { search: "lamp" },
      "search an amount of most": { search: "10000" },
      "search an amount of few": { search: "777.77" },
      "an amount that most have": { amount_from: "10000", amount_to: "10000" },
      "an amount that few have": { amount_from: "777.77", amount_to: "777.77" },
      "an amount to, that few have": { amount_to: "9999.99" },
      "an amount that none has": { amount_from: "5", amount_to: "6" },
    },
  ),
  ...listed(
    "customer accounts",
    byTime("cus_"),
    (filter) => (bus, merchant, after) => bus.request(browseCustomerAccounts, { merchant, after, ...filter }),
    {
      all: {},
      "most have the status": { status: "active" },
      "few have the status": { status: "retired" },
      "a month": { from, before },
      "search a common name": { search: "ife" },
      "search one letter": { search: "a" },
      "search a name, few have the status": { search: "ada", status: "retired" },
      "search a reference": { search: "cust_200002" },
      "search an account number": { search: "0000200002" },
      "search nothing there": { search: "nothing" },
    },
  ),
  ...listed(
    "settlements",
    cursor(at(DEEP)),
    (filter) => (bus, merchant, after) => bus.request(browseSettlements, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { from, before },
      "search a reference": { search: "set_200002" },
      "search nothing there": { search: "nothing" },
    },
  ),
  one("settlements: lines of one", (bus, merchant) =>
    // The big merchant's settlement; the others have none with this reference.
    bus
      .request(browseSettlementLines, { merchant, reference: `set_${WIDE}`, after: cursor(300_000) })
      .catch(() => undefined),
  ),
  one("one collection", (bus, merchant) =>
    bus.request(getCollection, { merchant, reference: "col_200002" }).catch(() => undefined),
  ),
  one("collections by intake ids", (bus, merchant) =>
    bus.request(readCollections, { merchant, intake_ids: Array.from({ length: 50 }, (_, n) => `int_${200_000 + n}`) }),
  ),
  one("one payment", (bus, merchant) =>
    bus.request(showPayment, { merchant, reference: "pay_200002" }).catch(() => undefined),
  ),
  one("one inbound transfer", (bus, merchant) =>
    bus.request(getInboundTransfer, { merchant, intake_id: "int_200002" }).catch(() => undefined),
  ),
  one("exceptions of a merchant", (bus, merchant) => bus.request(countInboundExceptions, { merchant })),
  one("exceptions of all", (bus) => bus.request(listExceptions, {})),
  one("events of a reference", (bus, merchant) => bus.request(findEvents, { merchant, reference: "col_200002" })),
  one("webhook health", (bus, merchant) => bus.request(getWebhookHealth, { merchant })),
  one("collections by day: a week", (bus, merchant) =>
    bus.request(sumCollectionDays, { merchant, from: "2026-09-01", to: "2026-09-07" }),
  ),
];

export function one(name: string, ask: ListCase["ask"]): ListCase {
  return { name, ask };
}
