import { nuban } from "@collect/bank";
import { allocateTransfer, getOwnBalances, instantOf, listExceptions, retireCustomerAccount } from "@collect/contracts";
import { startOtlpReceiver } from "@collect/servers";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { untilFollowed } from "../stack/trace.ts";
import { type ProcessName, startStack } from "../stack.ts";

const traces = await startOtlpReceiver();
const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
// All but the checkout.
const env = { gateway: otlp, dashboard: otlp, accounts: otlp, ledger: otlp, payments: otlp, webhooks: otlp };
const stack = await startStack({ env });
afterAll(() => stack.stop().then(traces.stop));

const simulator = client(stack.bankSimulatorUrl);
const report = (transfer: object) => reportTransfer(stack.bankDoor, transfer);

/** A merchant's server with one customer, in live mode. */
async function aShop() {
  const merchant = await stack.createMerchant();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await live.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  return { merchant, live, account_number: String(body.account_number) };
}

let serial = 100_000_000;
/** A valid account number of the partner bank that is not assigned to any merchant or customer. */
const anUnknownAccount = () => nuban({ bankCode: "729", serial: String(++serial) });

test("a bank transfer is credited net of the fee, and the merchant gets a signed event", async () => {
  const paid_at = instantOf(new Date(Date.now() - 3_600_000));
  const { merchant, live, account_number } = await aShop();
  const sent = await simulator.post("/control/transfers", {
    ...{ id: "bank-1", account_number, amount: 2500.73, payer_name: "Funke Lawal" },
    ...{ paid_at, bank_fee: 20, bank_vat: 1.5, session_id: "000014261121103000123456789012" },
  });
  expect(sent.body.transfers).toMatchObject([
    { acknowledged: true, answers: [{ status: 200, body: { id: "bank-1", status: "accepted" } }] },
  ]);
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body).toEqual({
    event: "collection.success",
    mode: "live",
    created_at: expect.any(String),
    data: {
      reference: expect.stringMatching(/^col_/),
      amount: 2500.73,
      fee: 25.01,
      net: 2475.72,
      currency: "NGN",
      rail: "bank",
      customer_reference: "cust_42",
      customer_name: "Ada Obi",
      account_number,
      payer_name: "Funke Lawal",
      paid_at,
      payment_reference: null,
      merchant_reference: null,
      payer: { name: "Funke Lawal", account_number: expect.any(String), bank_name: expect.any(String) },
      metadata: {},
    },
  });
  expect((await live.get("/balance")).body).toMatchObject({ mode: "live", collected: 2475.72 });
  const { modes } = await stack.bus.request(getOwnBalances, {});
  expect(modes[0]).toMatchObject({ mode: "live", bank: 2479.23, bank_charges: 21.5, fees: 25.01 });
  const { data } = (await live.get("/collections?limit=1")).body;
  expect(data).toMatchObject([{ amount: 2500.73, bank_session_id: "000014261121103000123456789012" }]);
  const test = client(stack.baseUrl, merchant.keys.sk_test);
  expect((await test.get("/balance")).body).toMatchObject({ mode: "test", collected: 0, ledger_sequence: 0 });
  expect(merchant.received("test")).toEqual([]);
});

test("one trace leads from the bank's report to the merchant's answer; it begins with us, and holds nothing personal", async () => {
  const { merchant, live, account_number } = await aShop();
  await fetch(stack.checkoutUrl);
  const transfer = aBankTransfer({ account_number, amount: 4321.09 });
  const stranger = "0af7651916cd43dd8448eb211c80319c";
  const traceparent = `00-${stranger}-b7ad6b7169203331-01`;
  const reported = await reportTransfer(stack.bankDoor, transfer, { traceparent });
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.headers).not.toHaveProperty("traceparent");
  const paid = await untilFollowed(traces, reported, "webhooks: POST", "update inbound_transfers");
  expect(paid.way).toEqual([
    "accounts: POST /bank/transfers",
    "accounts: commit intake.live",
    "accounts: publish accounts.transfer.received.v1",
    "ledger: process accounts.transfer.received.v1",
    "ledger: publish ledger.collection.posted.v1",
    "payments: process ledger.collection.posted.v1",
    "payments: publish payments.collection.succeeded.v1",
    "webhooks: process payments.collection.succeeded.v1",
    "webhooks: POST",
  ]);
  expect(paid.end.attributes).toMatchObject({ "http.response.status_code": 200, "server.address": "127.0.0.1" });

  const created = await live.post("/customer_accounts", { customer_reference: "cust_43", customer_name: "Ada Obi" });
  const asked = await untilFollowed(traces, created, "accounts: POST", "respond gateway.merchants.standing");
  expect(asked.way).toEqual([
    "gateway: POST /v1/customer_accounts",
    "gateway: request accounts.customer_account.issue",
    "accounts: respond accounts.customer_account.issue",
    "accounts: POST",
  ]);

  const personal = ["Chidi Eze", "0123456789", "Ada Obi", "cust_4", account_number, "4321.09", "432109", transfer.id];
  for (const word of [...personal, "/hook", merchant.id, ...Object.values(merchant.keys)])
    for (const { text } of traces.spans) expect(text).not.toContain(word);
  const known = traces.spans.flatMap(({ traceId, links }) => [traceId, ...links.map((link) => link.traceId)]);
  expect(known).not.toContain(stranger);

  const traced = (name: ProcessName) => stack.logs(name).match(/^.*"trace_id".*$/gm) ?? [];
  const batch = traced("ledger").find((line) => line.includes(paid.traceId));
  expect(batch).toContain('"subject":"accounts.transfer.received.v1"');
  expect(traced("ledger").filter((line) => line.includes('"msg":"ready"'))).toEqual([]);
  expect(stack.logs("checkout")).toContain('"msg":"request"');
  expect([traced("checkout"), traces.spans.filter(({ service }) => service === "checkout")]).toEqual([[], []]);
});

test("the same bytes 20 times concurrently are one credit: one is accepted, the others are duplicates", async () => {
  const { merchant, live, account_number } = await aShop();
  const { body } = await simulator.post("/control/transfers", { account_number, amount: 100, times: 20 });
  const [{ answers }] = body.transfers as [{ answers: { status: number; body: { status: string } }[] }];
  const responses = answers.map((answer) => `${answer.status} ${answer.body.status}`).toSorted();
  expect(responses).toEqual(["200 accepted", ...Array.from({ length: 19 }, () => "200 duplicate")]);
  await merchant.untilReceived("live", 1);
  const next = await report(aBankTransfer({ account_number, amount: 1 }));
  expect(next.body.status).toBe("accepted");
  expect(await merchant.untilReceived("live", 2)).toHaveLength(2);
  expect((await live.get("/balance")).body).toMatchObject({ collected: 99.99, ledger_sequence: 2 });
});

test.each([
  ["another amount", { amount: 101 }],
  ["another currency", { currency: "USD" }],
  ["another account", { account_number: nuban({ bankCode: "729", serial: "100000000" }) }],
])(
  "a known bank id with %s is quarantined and never credited; the first transfer is untouched",
  async (_what, other) => {
    const { merchant, live, account_number } = await aShop();
    const transfer = aBankTransfer({ account_number, amount: 100 });
    expect((await report(transfer)).body).toEqual({ id: transfer.id, status: "accepted" });
    const second = await report({ ...transfer, ...other });
    expect([second.status, second.body]).toEqual([200, { id: transfer.id, status: "quarantined" }]);
    expect((await report(transfer)).body.status).toBe("duplicate");
    await merchant.untilReceived("live", 1);
    expect((await live.get("/balance")).body).toMatchObject({ collected: 99, ledger_sequence: 1 });
    const { quarantined } = await stack.bus.request(listExceptions, {});
    expect(quarantined).toContainEqual(expect.objectContaining({ bank_transfer_id: transfer.id, mode: "live" }));
  },
);

test("a transfer in a foreign currency is quarantined", async () => {
  const { live, account_number } = await aShop();
  const { status, body } = await report(aBankTransfer({ account_number, amount: 100, currency: "USD" }));
  expect([status, body.status]).toEqual([200, "quarantined"]);
  expect((await live.get("/balance")).body).toMatchObject({ collected: 0 });
});

test("a transfer to an unknown account is in suspense without a fee until it is allocated; then the merchant gets the event", async () => {
  const { merchant, live } = await aShop();
  const transfer = aBankTransfer({ account_number: anUnknownAccount(), amount: 500 });
  expect((await report(transfer)).body).toEqual({ id: transfer.id, status: "unallocated" });
  expect((await report(transfer)).body.status).toBe("duplicate");
  const unallocated = await until("the transfer is unallocated", async () => {
    const { unallocated } = await stack.bus.request(listExceptions, {});
    return unallocated.find(({ account_number }) => account_number === transfer.account_number);
  });
  expect(unallocated).toMatchObject({ mode: "live", amount_kobo: "50000" });
  const owner = { intake_id: unallocated.intake_id, merchant: { id: merchant.id, mode: "live" as const } };
  await expect(stack.bus.request(allocateTransfer, { ...owner, customer_reference: "unknown" })).rejects.toMatchObject({
    code: "conflict",
  });

  const allocate = () => stack.bus.request(allocateTransfer, { ...owner, customer_reference: "cust_42" });
  // Only money in suspense can be allocated; until then the call is refused.
  await until("it can be allocated", () =>
    allocate().then(
      ({ allocated }) => allocated,
      () => false,
    ),
  );
  await expect(allocate()).rejects.toMatchObject({ code: "conflict" });

  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body.data).toMatchObject({ amount: 500, fee: 5, net: 495, customer_reference: "cust_42" });
  expect((await live.get("/balance")).body).toMatchObject({ collected: 495 });
});

test("a test account cannot receive a real transfer", async () => {
  const { merchant } = await aShop();
  const test = client(stack.baseUrl, merchant.keys.sk_test);
  const { body } = await test.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const reported = await report(aBankTransfer({ account_number: String(body.account_number), amount: 100 }));
  expect(reported.body.status).toBe("unallocated");
  expect((await test.get("/balance")).body).toMatchObject({ collected: 0 });
});

test("a transfer to a retired account is credited and flagged", async () => {
  const { merchant, live, account_number } = await aShop();
  const scope = { id: merchant.id, mode: "live" as const };
  await stack.bus.request(retireCustomerAccount, { merchant: scope, customer_reference: "cust_42" });
  expect((await live.get("/customer_accounts/cust_42")).body).toMatchObject({ status: "retired" });
  const repeated = await live.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  expect([repeated.status, repeated.body.status]).toEqual([200, "retired"]);

  const transfer = aBankTransfer({ account_number, amount: 100 });
  expect((await report(transfer)).body.status).toBe("accepted");
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body.data).toMatchObject({ customer_reference: "cust_42", net: 99 });
  expect((await live.get("/balance")).body).toMatchObject({ collected: 99 });
  const { rows } = await stack
    .database("accounts")
    .query("select account_retired from inbound_transfers where bank_transfer_id = $1", [transfer.id]);
  expect(rows).toEqual([{ account_retired: true }]);
});

test("transfers reported late and out of order are all credited, with the bank's time of payment", async () => {
  const { merchant, account_number } = await aShop();
  const times = [22, 21, 20].map((days) => instantOf(new Date(Date.now() - days * 86_400_000)));
  const transfers = times.map((paid_at) => ({ account_number, amount: 10, paid_at }));
  await simulator.post("/control/transfers", { transfers, order: "late" });
  const deliveries = await merchant.untilReceived("live", 3);
  expect(deliveries.map(({ body }) => (body.data as { paid_at: string }).paid_at).toSorted()).toEqual(times);
});

test.each([
  ["without a signature", {}],
  ["with the signature of other bytes", { "x-bank-signature": "0".repeat(128) }],
])("a report %s is refused before it is parsed", async (_what, headers) => {
  const { live, account_number } = await aShop();
  const door = client(stack.bankDoor.url);
  for (const raw of [JSON.stringify(aBankTransfer({ account_number, amount: 100 })), "nonsense"]) {
    const answer = await door.send("POST", "/bank/transfers", { raw, headers });
    expect(refusalIn(answer)).toEqual(refusal("invalid_signature", { withoutPage: true }));
  }
  expect((await live.get("/balance")).body).toMatchObject({ collected: 0 });
});

test.each([
  ["no amount", { amount: undefined }, ["amount"]],
  ["an amount below zero", { amount: -1 }, ["amount"]],
  ["an invalid account number", { account_number: "12345" }, ["account_number"]],
  ["no payer", { payer: undefined }, ["payer"]],
])("a signed report with %s is refused, and the invalid fields are named", async (_what, wrong, params) => {
  const answer = await report({ ...aBankTransfer({ account_number: anUnknownAccount(), amount: 1 }), ...wrong });
  expect(refusalIn(answer)).toEqual(refusal("validation_failed", { mode: "live", params, withoutPage: true }));
});
