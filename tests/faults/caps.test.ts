import { deadLetterRequests, listExceptions, receiveTestTransfers } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const LIMIT = "₦10,000,000,000.00";
const simulator = client(stack.bankSimulatorUrl);

async function aShop() {
  const merchant = await stack.createMerchant();
  const api = {
    test: client(stack.baseUrl, merchant.keys.sk_test),
    live: client(stack.baseUrl, merchant.keys.sk_live),
  };
  const issue = async (mode: "test" | "live") =>
    (await api[mode].post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" })).body;
  const account_number = {
    test: String((await issue("test")).account_number),
    live: String((await issue("live")).account_number),
  };
  const simulate = (amount: number) =>
    api.test.post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount });
  return { merchant, api, account_number, simulate };
}

const exceptionsOf = async (id: string) =>
  (await stack.bus.request(listExceptions, {})).quarantined.filter((one) => one.bank_transfer_id === id);

test("one test key cannot overflow a balance: amounts above the limit are refused on every path, and other merchants are unaffected", async () => {
  const [greedy, other] = [await aShop(), await aShop()];
  const tooMuch = refusal("validation_failed", { mode: "test", params: ["amount"] });
  for (const amount of [9_999_999_999_999.99, 10_000_000_000.01]) {
    const refused = await greedy.simulate(amount);
    expect(refusalIn(refused)).toEqual(tooMuch);
    expect(refused.body.detail).toContain(LIMIT);
    const sandbox = await greedy.api.test.post("/sandbox/pay", { outcome: "paid", amount });
    expect(refusalIn(sandbox)).toEqual(tooMuch);
    expect(sandbox.body.detail).toContain(LIMIT);
  }
  const transfer = {
    id: randomId("t"),
    customer_reference: "cust_42",
    amount: 9_999_999_999_999.99,
    payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
    paid_at: new Date(Date.now() - 3_600_000).toISOString(),
  };
  const merchant = { id: greedy.merchant.id, mode: "test" as const };
  await expect(stack.bus.request(receiveTestTransfers, { merchant, transfers: [transfer] })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "transfers.0.amount", message: expect.stringContaining(LIMIT) }],
  });
  // Two payments of the maximum amount use up the day's volume.
  const flood = await Promise.all(Array.from({ length: 20 }, () => greedy.simulate(10_000_000_000)));
  expect(flood.map(({ status }) => status).toSorted()).toEqual([...Array(2).fill(200), ...Array(18).fill(429)]);
  const refused = await greedy.simulate(0.01);
  expect(refusalIn(refused)).toEqual(refusal("rate_limited", { mode: "test" }));
  expect(refused.body.detail).toContain("₦20,000,000,000.00");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  expect(await other.simulate(2500)).toMatchObject({ status: 200, body: { credited: true } });
  const { rows } = await stack
    .database("ledger")
    .query("select max(abs(balance)) < 1e13 as is_small from ledger_accounts");
  expect(rows).toEqual([{ is_small: true }]);
  for (const { list } of Object.values(deadLetterRequests))
    expect(await stack.bus.request(list, {})).toEqual({ dead_letters: [] });
});

test("an amount above the payment limit is refused, however large, also for a merchant with its own limit", async () => {
  const { api } = await aShop();
  for (const amount of [5_000_000.01, 9_999_999_999_999.99, 1e15, 1e300])
    expect(refusalIn(await api.test.post("/payments", { amount }))).toEqual(
      refusal("amount_over_limit", { mode: "test" }),
    );
});

test("real money above the cap is answered with 200, quarantined and alarmed, and never credited automatically", async () => {
  const { api, account_number } = await aShop();
  for (const amount of [10_000_000_000.01, 9_999_999_999_999.99, 1e14, 1e17]) {
    const transfer = aBankTransfer({ account_number: account_number.live, amount });
    for (let times = 0; times < 2; times++)
      expect(await reportTransfer(stack.bankDoor, transfer)).toMatchObject({
        status: 200,
        body: { id: transfer.id, status: "quarantined" },
      });
    expect(await exceptionsOf(transfer.id)).toMatchObject([{ mode: "live", reason: `an amount above ${LIMIT}` }]);
  }
  expect(stack.logs("accounts")).toContain('"alarm":"quarantined"');
  expect((await api.live.get("/balance")).body).toMatchObject({ collected: 0 });
});

test("a report of a type that is not known is quarantined and alarmed, repeats are counted, and it is never credited as a new transfer", async () => {
  const { merchant, api, account_number } = await aShop();
  const credit = { id: randomId("bank"), account_number: account_number.live, amount: 100 };
  const send = async (order: object) => {
    const { body } = await simulator.post("/control/transfers", order);
    return (body.transfers as { answers: { status: number; body: unknown }[] }[])[0]?.answers;
  };
  expect(await send(credit)).toMatchObject([{ status: 200, body: { status: "accepted" } }]);
  await merchant.untilReceived("live", 1);
  const another = { ...credit, id: randomId("recall") };
  for (const recall of [credit, another]) {
    const parked = { status: 200, body: { id: recall.id, status: "quarantined" } };
    expect(await send({ ...recall, type: "recall", times: 3 })).toMatchObject([parked, parked, parked]);
    expect(await exceptionsOf(recall.id)).toMatchObject([{ reason: "a report of type recall, which is not known" }]);
    const { rows } = await stack
      .database("accounts")
      .query("select times from quarantined_transfers where bank_transfer_id = $1", [recall.id]);
    expect(rows).toEqual([{ times: 3 }]);
  }
  await until("the alarm is raised", () =>
    stack.logs("accounts").includes("a report of type recall, which is not known"),
  );
  // A later transfer is credited, and the recalls are not.
  expect(await send({ ...credit, id: randomId("bank"), amount: 50 })).toMatchObject([{ body: { status: "accepted" } }]);
  const deliveries = await merchant.untilReceived("live", 2);
  expect(deliveries.map(({ body }) => (body.data as { amount: number }).amount)).toEqual([100, 50]);
  expect((await api.live.get("/balance")).body).toMatchObject({ collected: 148.5 });
});
