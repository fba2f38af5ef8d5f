import { CollectionSuccess, type collectionSucceeded, type Fact } from "@collect/contracts";
import { expect, test } from "vitest";
import { collectionSuccess } from "./event.ts";

const collection: Fact<typeof collectionSucceeded> = {
  intakeId: "int_1",
  merchant: { id: "mer_1", mode: "live" },
  accountNumber: "0000000017",
  customer: { reference: "cust_42", name: "Ada Obi" },
  amount: 250_073n,
  currency: "NGN",
  payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
  paidAt: "2026-11-21T09:29:58.000+00:00",
  receivedAt: "2026-11-21T09:29:59.000+00:00",
  fee: 2_501n,
  net: 247_572n,
  reference: "col_1",
  paymentReference: null,
  merchantReference: null,
  postedAt: "2026-11-21T09:29:59.500+00:00",
};
const now = new Date("2026-11-21T09:30:00.123Z");

test("the body is the envelope of the specification, in naira, to the byte", () => {
  expect(collectionSuccess(collection, now).body.toString()).toBe(
    '{"event":"collection.success","mode":"live","created_at":"2026-11-21T09:30:00.123+00:00","data":{"reference":"col_1",' +
      '"amount":2500.73,"fee":25.01,"net":2475.72,"currency":"NGN","rail":"bank","customer_reference":"cust_42","customer_name":"Ada Obi",' +
      '"account_number":"0000000017","payer_name":"Chidi Eze","paid_at":"2026-11-21T09:29:58.000+00:00","payment_reference":null,"merchant_reference":null}}',
  );
});

test("money in a collection account has no customer, and the body still parses by its contract", () => {
  const body = JSON.parse(collectionSuccess({ ...collection, customer: null }, now).body.toString());
  expect(CollectionSuccess.parse(body).data).toMatchObject({ customer_reference: null, amount: 250_073n });
});
