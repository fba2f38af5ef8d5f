import {
  browseApiCalls,
  browseCollections,
  browseCustomerAccounts,
  findEvents,
  getCollection,
  getInboundTransfer,
  getTransaction,
  getVerification,
  getWebhookHealth,
  showMerchant,
  showTransfer,
  type WireResult,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const AT = "2026-11-21T09:30:00.123+00:00";
const base = "/api/m/mer_timeline/test";
const merchant = { id: "mer_timeline", mode: "test", name: "Ada Stores" };

const { world, dashboard, others } = await useDashboard();
const viewer = await aMember(world, dashboard, { merchantId: "mer_timeline", role: "viewer" });

const collection: WireResult<typeof getCollection>["collection"] = {
  reference: "col_1",
  amount: 2500.73,
  fee: 25.01,
  net: 2475.72,
  currency: "NGN",
  customer_reference: null,
  customer_name: null,
  account_number: "0123456789",
  payer: { id: "1", name: "ADA", account_number: null, bank_name: null },
  payment_reference: null,
  merchant_reference: null,
  paid_at: AT,
  received_at: AT,
  created_at: AT,
  attached_at: null,
  metadata: {},
  mode: "test",
};
const received: WireResult<typeof getInboundTransfer> = {
  bank_transfer_id: "b1",
  narration: null,
  account_retired: false,
  allocated_at: null,
  paid_at: AT,
  received_at: AT,
  completed_at: AT,
};
const ledger: WireResult<typeof getTransaction> = {
  transaction_id: "int_1",
  kind: "collection",
  amount: 2500.73,
  fee: 25.01,
  fee_basis_points: 100,
  occurred_at: AT,
  posted_at: AT,
  entries: [{ account: "collected", amount: -2475.72, balance_after: 2475.72, version: 1 }],
};

test("the timeline of a collection is composed from every service with data about it", async () => {
  const found = { collection, intake_id: "int_1", posted_at: AT, attached_by: null };
  others.reply(getCollection, () => found);
  others.reply(getInboundTransfer, () => received);
  others.reply(getTransaction, () => ledger);
  others.reply(findEvents, () => ({ events: [] }));
  const { body } = await viewer.get(`${base}/collections/col_1/timeline`);
  expect(body).toEqual({ ...found, received, ledger, events: [] });
  expect(others.askedOf(getInboundTransfer)).toEqual([{ merchant, intake_id: "int_1" }]);
  expect(others.askedOf(getTransaction)).toEqual([{ merchant, key: "int_1" }]);
  expect(others.askedOf(findEvents)).toEqual([{ merchant, reference: "col_1" }]);
});

test("who attached it is named while that person is in the team", async () => {
  const nameOf = async ({ id, email }: { id: string; email: string }) => {
    const attached_by = { kind: "member" as const, user_id: id, email };
    others.reply(getCollection, () => ({ collection, intake_id: "int_1", posted_at: AT, attached_by }));
    return (await viewer.get(`${base}/collections/col_1/timeline`)).body.attached_by;
  };
  expect(await nameOf(viewer)).toBe("Ada Obi");
  const former = await aMember(world, dashboard, { merchantId: "mer_timeline", role: null });
  expect(await nameOf(former)).toBeNull();
});

test("a timeline is shown without the services that do not respond, and is not found without its collection", async () => {
  for (const [contract, code] of [
    [getInboundTransfer, "service_unavailable"],
    [getTransaction, "not_found"],
    [findEvents, "internal_error"],
  ] as const)
    others.refuse(contract, code);
  const { status, body } = await viewer.get(`${base}/collections/col_1/timeline`);
  expect([status, body.received, body.ledger, body.events]).toEqual([200, null, null, null]);
  others.refuse(getCollection, "not_found");
  expect((await viewer.get(`${base}/collections/col_1/timeline`)).status).toBe(404);
  for (const contract of [getInboundTransfer, getTransaction, findEvents, getCollection])
    others.refuse(contract, undefined);
});

test("the timeline of a transfer requests its events by our own reference", async () => {
  const transfer: WireResult<typeof showTransfer>["transfer"] = Object({
    reference: "trf_ours",
    merchant_reference: "payout-1",
  });
  others.reply(showTransfer, () => ({
    transfer,
    sent_at: AT,
    reversed_at: null,
    ordered_by: null,
    held_for: null,
    approval: null,
  }));
  const { body } = await viewer.get(`${base}/transfers/payout-1/timeline`);
  expect(body).toEqual({
    transfer,
    sent_at: AT,
    reversed_at: null,
    ordered_by: null,
    held_for: null,
    approval: null,
    events: [],
  });
  expect(others.askedOf(findEvents).at(-1)).toEqual({ merchant, reference: "trf_ours" });
});

const key = {
  id: "1",
  kind: "secret" as const,
  prefix: "sk_test_",
  last_four: "abcd",
  public_key: null,
  created_at: AT,
  expires_at: null,
  name: null,
  scopes: [],
  addresses: [],
  made_by: null,
};
const shown = {
  merchant_id: "mer_timeline",
  name: "Ada",
  verified_at: null,
  suspension: null,
  rate_limits: { accounts: 1, reads: 1 },
  created_at: AT,
};
const health = {
  url: null,
  unconfirmed_url: null,
  failing: 0,
  exhausted: 0,
  oldest_failing_at: null,
  last_delivered_at: null,
  ever_delivered: false,
  hold: null,
};

test("the checklist shows the completed steps of this mode; the use of a key is stored longer than the request log", async () => {
  const empty = () => ({ data: [], next: null });
  others.reply(showMerchant, () => ({ ...shown, keys: [{ ...key, mode: "live" as const, last_used_at: AT }] }));
  others.reply(browseApiCalls, empty);
  others.reply(browseCustomerAccounts, empty);
  others.reply(browseCollections, empty);
  others.reply(getWebhookHealth, () => health);
  others.reply(getVerification, () => ({
    merchant_id: "mer_timeline",
    merchant_name: "Ada",
    state: "draft" as const,
    details: {},
    settlement_account_name: null,
    settlement_bank_name: null,
    reason: null,
    submitted_at: null,
    decided_at: null,
    suspension: null,
  }));
  const nothing = {
    keys_made: false,
    api_called: false,
    account_made: false,
    webhook_set: false,
    money_received: false,
    webhook_delivered: false,
    verification: "draft",
  };
  expect((await viewer.get(`${base}/checklist`)).body).toEqual(nothing);
  others.reply(showMerchant, () => ({ ...shown, keys: [{ ...key, mode: "test" as const, last_used_at: AT }] }));
  others.reply(browseCollections, () => ({ data: [collection], next: null }));
  others.reply(getWebhookHealth, () => ({ ...health, url: "https://shop.example", ever_delivered: true }));
  expect((await viewer.get(`${base}/checklist`)).body).toEqual({
    ...nothing,
    keys_made: true,
    api_called: true,
    money_received: true,
    webhook_set: true,
    webhook_delivered: true,
  });
  expect((await viewer.get(`${base}/keys`)).body.keys).toHaveLength(1);
  expect((await viewer.get("/api/m/mer_timeline/live/keys")).body.keys).toEqual([]);
});
