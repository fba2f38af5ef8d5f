import {
  listCollections,
  listCustomerAccounts,
  listEvents,
  listPayments,
  listSettlements,
  listTransfers,
  readSettlement,
} from "@collect/contracts";
import { at, byTime, cursor, DEEP, type ListCase, listed, one } from "./lists-cases.ts";
import { ROWS } from "./lists-fill.ts";

/** The lists of the merchant API with each of their filters. */

const [start, end] = [at(ROWS * 0.4), at(ROWS * 0.5)];
/** Nine tenths of the big merchant's rows. */
const OFFSET = (ROWS / 2) * 0.9;

export const LISTS_BY_KEY: ListCase[] = [
  ...listed(
    "by key: collections",
    byTime("int_"),
    (filter) => (bus, merchant, after) => bus.request(listCollections, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { paid_from: start, paid_to: end },
      "a customer of a fifth": { customer_reference: "hot" },
      "a regular customer": { customer_reference: "regular" },
      "a former customer": { customer_reference: "former" },
      "a customer, a month": { customer_reference: "regular", paid_from: start, paid_to: end },
      "an account of a fifth": { account_number: "9000000000" },
      "an account": { account_number: "0000200002" },
      "a session": { payment_reference: "pay_200002" },
      "an order": { merchant_reference: "order-200002" },
      "the amount of all": { amount: 100 },
      "an amount of none": { amount: 77 },
      "the amount of all, a former customer": { amount: 100, customer_reference: "former" },
      "the amount of all, an account": { amount: 100, account_number: "0000200002" },
    },
  ),
  ...listed(
    "by key: collections",
    cursor(300_000),
    (filter) => (bus, merchant, after) =>
      // The big merchant's settlement; the others have none with this reference.
      bus.request(listCollections, { merchant, after, ...filter }).catch(() => undefined),
    { "a settlement": { settlement_id: "set_100" } },
  ),
  ...listed(
    "by key: payments",
    byTime("pay_"),
    (filter) => (bus, merchant, after) => bus.request(listPayments, { merchant, after, ...filter }),
    {
      all: {},
      "a month": { created_from: start, created_to: end },
      "most have the status": { status: "paid" },
      "few have the status": { status: "overpaid" },
      "none has the status": { status: "processing" },
      "an order": { merchant_reference: "order-200002" },
      "an order of a fifth": { merchant_reference: "donation" },
      "a customer of a fifth": { customer_reference: "hot" },
      "a former customer": { customer_reference: "former" },
      "a former customer, few have the status": { customer_reference: "former", status: "overpaid" },
      "an order of a fifth, a customer": { merchant_reference: "donation", customer_reference: "former" },
    },
  ),
  ...listed(
    "by key: events",
    String(OFFSET),
    (filter) => (bus, merchant, after) => bus.request(listEvents, { merchant, after_sequence: after ?? 0, ...filter }),
    {
      all: {},
      "most are of the kind": { type: "collection.success" },
      "few are of the kind": { type: "transfer.reversed" },
      "none is of the kind": { type: "webhook.test" },
    },
  ),
  ...listed(
    "by key: settlements",
    cursor(at(DEEP)),
    (filter) => (bus, merchant, after) => bus.request(listSettlements, { merchant, after, ...filter }),
    { all: {} },
  ),
  ...listed(
    "by key: settlements",
    cursor(300_000),
    (filter) => (bus, merchant, after) =>
      bus.request(readSettlement, { merchant, id: "set_100", after, ...filter }).catch(() => undefined),
    { "one with its lines": {} },
  ),
  ...listed(
    "by key: transfers",
    byTime("trf_"),
    (filter) => (bus, merchant, after) => bus.request(listTransfers, { merchant, after, ...filter }),
    {
      all: {},
      "most have the status": { status: "success" },
      "few have the status": { status: "reversed" },
      "none has the status": { status: "pending" },
      "an order": { reference: "order-200002" },
    },
  ),
  ...listed(
    "by key: customer accounts",
    byTime("cus_"),
    (filter) => (bus, merchant, after) => bus.request(listCustomerAccounts, { merchant, after, ...filter }),
    { all: { status: "all" }, "most have the status": {}, "few have the status": { status: "retired" } },
  ),
  one("by key: transfers at nine tenths by offset", (bus, merchant) =>
    bus.request(listTransfers, { merchant, offset: OFFSET }),
  ),
  one("by key: customer accounts at nine tenths by offset", (bus, merchant) =>
    bus.request(listCustomerAccounts, { merchant, offset: OFFSET }),
  ),
];
