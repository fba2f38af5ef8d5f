import {
  CollectionSuccess,
  type collectionSucceeded,
  type Fact,
  Transfer,
  type transferCompleted,
  WebhookEvent,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { collectionSuccess, transferEvent } from "./event.ts";

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

test("the body is the specified envelope, in naira, byte for byte", () => {
  expect(collectionSuccess(collection, now).body.toString()).toBe(
    '{"event":"collection.success","mode":"live","created_at":"2026-11-21T09:30:00.123+00:00","data":{"reference":"col_1",' +
      '"amount":2500.73,"fee":25.01,"net":2475.72,"currency":"NGN","rail":"bank","customer_reference":"cust_42","customer_name":"Ada Obi",' +
      '"account_number":"0000000017","payer_name":"Chidi Eze","paid_at":"2026-11-21T09:29:58.000+00:00","payment_reference":null,"merchant_reference":null}}',
  );
});

test("the payer and the metadata follow, and an event of which an earlier release decided keeps its bytes", () => {
  const payer = { name: "Chidi Eze", accountNumber: "0123456789", bankName: "First Bank" };
  const [before, after] = [collection, { ...collection, payer, metadata: { order: "17" } }].map((given) =>
    collectionSuccess(given, now).body.toString(),
  );
  expect(after).toBe(
    `${before?.slice(0, -2)},"payer":{"name":"Chidi Eze","account_number":"0123456789","bank_name":"First Bank"},"metadata":{"order":"17"}}}`,
  );
});

test("money in a collection account has no customer, and the body still parses by its contract", () => {
  const body = JSON.parse(collectionSuccess({ ...collection, customer: null }, now).body.toString());
  expect(CollectionSuccess.parse(body).data).toMatchObject({ customer_reference: null, amount: 250_073n });
});

test.each([
  ["the customer's name", { customer: collection.customer, payerDetailsName: "Bola Ade" }, "Ada Obi"],
  ["the name given at the checkout without a customer", { customer: null, payerDetailsName: "Bola Ade" }, "Bola Ade"],
  ["null without either", { customer: null, payerDetailsName: null }, null],
])("customer_name is %s", (_which, given, expected) => {
  const body = JSON.parse(collectionSuccess({ ...collection, ...given }, now).body.toString());
  expect(CollectionSuccess.parse(body).data.customer_name).toBe(expected);
});

const transfer: Fact<typeof transferCompleted> = {
  key: "trf_1:failed",
  merchant: { id: "mer_1", mode: "live" },
  reference: "trf_1",
  merchantReference: "payout-7",
  status: "failed",
  amount: 250_073n,
  fee: 0n,
  currency: "NGN",
  bankCode: "044",
  bankName: "Access Bank",
  accountNumber: "0123456789",
  accountName: "Chidi Eze",
  narration: null,
  failureCode: "beneficiary_refused",
  failureReason: "The beneficiary's bank refused the transfer.",
  createdAt: "2026-11-21T09:29:00.000+00:00",
  completedAt: "2026-11-21T09:29:59.000+00:00",
};

test("the body of a transfer's event is the transfer as the API returns it, byte for byte", () => {
  expect(transferEvent(transfer, now).body.toString()).toBe(
    '{"event":"transfer.failed","mode":"live","created_at":"2026-11-21T09:30:00.123+00:00","data":{"reference":"trf_1",' +
      '"merchant_reference":"payout-7","status":"failed","amount":2500.73,"fee":0,"currency":"NGN","bank_code":"044",' +
      '"bank_name":"Access Bank","account_number":"0123456789","account_name":"Chidi Eze","narration":null,' +
      '"failure_code":"beneficiary_refused","failure_reason":"The beneficiary\'s bank refused the transfer.","mode":"live",' +
      '"created_at":"2026-11-21T09:29:00.000+00:00","completed_at":"2026-11-21T09:29:59.000+00:00"}}',
  );
});

test("the event of a transfer has its metadata as the API returns it", () => {
  const body = JSON.parse(transferEvent({ ...transfer, metadata: { order: "17" } }, now).body.toString());
  expect(Transfer.parse(body.data)).toEqual(expect.objectContaining({ metadata: { order: "17" } }));
});

test.each(["success", "failed", "reversed"] as const)("a transfer's %s is an event and a key of its own", (status) => {
  const { key, kind, body } = transferEvent({ ...transfer, status }, now);
  expect({ key, kind }).toEqual({ key: `transfer.${status}:trf_1`, kind: `transfer.${status}` });
  expect(WebhookEvent.parse(JSON.parse(body.toString()))).toMatchObject({ event: kind, data: { status } });
});
