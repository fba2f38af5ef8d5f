import { choosePartner, listPartners, runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AMOUNT, makeStepsDue, payoutOrder } from "../faults/shop.ts";
import { client } from "../stack/client.ts";
import { inOrder } from "../stack/merchant.ts";
import { partnersOf, SIMULATED_PARTNERS } from "../stack/partners.ts";
import { startStack, type TestMerchant } from "../stack.ts";

/** How each partner can misbehave, and what the ledger and the merchant's server have of it. */

const stack = await startStack({ env: { "bank-simulator": SIMULATED_PARTNERS } });
afterAll(() => stack.stop());

const { accounts, payments } = partnersOf(stack);
const WAITED_FOR = { BANK_TIMEOUT_MS: "500" };
await stack.service("accounts").restart({
  env: { ...accounts, ...WAITED_FOR, BANK_PARTNER: "providus", POOL_LOW: "10", POOL_HIGH: "20" },
});
await until("accounts are ready at Providus", async () => {
  const { partners } = await stack.bus.request(listPartners, {});
  return partners.some(({ pool }) => (pool?.free ?? 0) >= 10);
});

type Bank = {
  id: string;
  /** Where it is at the simulator. */
  path: string;
  /** What its control API calls the id of a transfer, its payouts, and the id of a payout. */
  words: { id: string; payouts: string; payoutId: string };
  operations: { issue: string; pay: string };
  identity: object;
  /** A report of ₦999 under an id that the bank has reported with another amount. */
  otherAmount: object;
  /** Sends a report of money that never came, with a signature that is right for something else. */
  forge(account_number: string): Promise<unknown>;
};

const control = (path: string) => client(`${stack.bankSimulatorUrl}${path}/control`);

const BANKS: Bank[] = [
  {
    ...{ id: "729", path: "", identity: {}, otherAmount: { amount: 999 } },
    words: { id: "id", payouts: "payouts", payoutId: "id" },
    operations: { issue: "accounts", pay: "payouts" },
    forge: (account_number) => control("").post("/transfers", { account_number, amount: 999, signature: "other_body" }),
  },
  {
    ...{ id: "providus", path: "/providus", identity: {} },
    otherAmount: { claims: { transactionAmount: "999", settledAmount: "999" } },
    words: { id: "settlement_id", payouts: "payouts", payoutId: "reference" },
    operations: { issue: "rename", pay: "payout" },
    forge: (accountNumber) =>
      control("/providus").post("/notifications", {
        ...{ settlementId: `never-${accountNumber}`, sessionId: "0", accountNumber, transactionAmount: "999" },
      }),
  },
  {
    ...{ id: "monnify", path: "/monnify", identity: { bvn: "22215937046" } },
    otherAmount: { claims: { amountPaid: 999, totalPayable: 999 } },
    words: { id: "transaction_reference", payouts: "disbursements", payoutId: "reference" },
    operations: { issue: "reserve", pay: "disburse" },
    forge: (account_number) =>
      control("/monnify").post("/transfers", { account_number, amount: 999, signature: "other_body" }),
  },
];

/** A merchant with a customer whose account is at the bank. */
async function aShop(bank: Bank) {
  const merchant = await stack.createMerchant();
  await stack.bus.request(choosePartner, { merchant_id: merchant.id, partner: bank.id });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const issue = () =>
    api.post("/customer_accounts", { customer_reference: "c", customer_name: "Ada Obi", ...bank.identity });
  return { merchant, api, issue };
}

type Play = {
  bank: Bank;
  account_number: string;
  /** Has the bank report transfers: those with the same name are the same. */
  report(...transfers: Reported[]): Promise<unknown>;
};
type Reported = { name: string; amount: number } & Record<string, unknown>;

/** What happens, and the naira with which the customer is credited, in the order of the merchant's events. */
type Scenario = { name: string; play(scene: Play): Promise<unknown>; credited: number[] };

const EARLIER = new Date(Date.now() - 4 * 86_400_000).toISOString();
const SCENARIOS: Scenario[] = [
  {
    name: "notified twenty times at once",
    play: ({ report }) => report({ name: "a", amount: 100, times: 20 }),
    credited: [100],
  },
  {
    name: "notified again after it was credited",
    play: async ({ report }) => {
      for (let times = 0; times < 3; times++) await report({ name: "a", amount: 100 });
    },
    credited: [100],
  },
  {
    name: "never notified, until the bank is asked to report it",
    play: async ({ report }) => {
      await report({ name: "a", amount: 100, times: 0 });
      await report({ name: "b", amount: 200 });
      await report({ name: "a", amount: 100 });
    },
    credited: [200, 100],
  },
  {
    name: "late, after transfers that were paid later",
    play: ({ report }) =>
      report({ name: "a", amount: 100, paid_at: EARLIER }, { name: "b", amount: 200 }, { name: "c", amount: 300 }),
    credited: [200, 300, 100],
  },
  {
    name: "another amount under the id of a transfer that was credited",
    play: async ({ bank, report }) => {
      await report({ name: "a", amount: 100 });
      await report({ name: "a", amount: 100, ...bank.otherAmount });
    },
    credited: [100],
  },
  {
    name: "a right signature and another body",
    play: async ({ bank, account_number, report }) => {
      expect(JSON.stringify(await bank.forge(account_number))).toMatch(/invalid_signature|"responseCode":"03"/);
      await report({ name: "a", amount: 100 });
    },
    credited: [100],
  },
];

describe.each(BANKS)("$id", (bank) => {
  const simulator = control(bank.path);
  beforeAll(() => stack.service("payments").restart({ env: { ...payments, ...WAITED_FOR, BANK_PARTNER: bank.id } }));

  test.each(SCENARIOS)("$name", async ({ play, credited }) => {
    const { merchant, issue } = await aShop(bank);
    const account_number = String((await issue()).body.account_number);
    const report: Play["report"] = async (...transfers) => {
      const named = transfers.map(({ name, ...transfer }) => ({
        ...{ ...transfer, account_number, [bank.words.id]: `${merchant.id}-${name}` },
      }));
      const { status } = await simulator.post("/transfers", { transfers: named, order: "late" });
      expect(status).toBe(200);
    };
    await play({ bank, account_number, report });
    await expectCredited(merchant, credited);
  });

  test("opens the account and never answers", async () => {
    const { merchant, issue } = await aShop(bank);
    await simulator.post("/behaviour", { operation: bank.operations.issue, behaviour: "timeout", times: 1 });
    expect((await issue()).body.code).toBe("provider_timeout");
    const { account_number } = (await issue()).body;
    await simulator.post("/transfers", { account_number, amount: 100 });
    await expectCredited(merchant, [100]);
  });

  test("sends payouts and never answers, cuts the connection, or answers with an error", async () => {
    const { merchant, api, issue } = await aShop(bank);
    const { account_number } = (await issue()).body;
    await simulator.post("/transfers", { account_number, amount: 1_000 });
    await expectCredited(merchant, [1_000]);
    await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
    const atBank = async () => {
      const { [bank.words.payouts]: listed } = (await simulator.get(`/${bank.words.payouts}`)).body;
      return (listed as Record<string, unknown>[]).map((payout) => String(payout[bank.words.payoutId]));
    };
    const references: string[] = [];
    for (const behaviour of ["timeout", "cut", "fail_late"]) {
      await simulator.post("/behaviour", { operation: bank.operations.pay, behaviour, times: 1 });
      const reference = String((await api.post("/transfers", payoutOrder(references.length))).body.reference);
      await until(`the bank has executed it (${behaviour})`, async () => (await atBank()).includes(reference));
      references.push(reference);
    }
    await until("every payout is paid", async () => {
      await makeStepsDue(stack);
      const asked = await Promise.all(references.map((reference) => api.get(`/transfers/${reference}`)));
      return asked.every(({ body }) => body.status === "success");
    });
    expect((await atBank()).filter((id) => references.includes(id)).toSorted()).toEqual(references.toSorted());
    expect((await api.get("/balance")).body).toMatchObject({ collected: 0, settled: 990 - 3 * AMOUNT });
    const events = await merchant.untilReceived("live", 4);
    expect(events.map(({ body }) => body.event).toSorted()).toEqual([
      "collection.success",
      ...references.map(() => "transfer.success"),
    ]);
  });
});

test("Providus does not answer when it is asked about a transfer: it repeats the report, which is credited once", async () => {
  const providus = BANKS.find(({ id }) => id === "providus");
  if (!providus) throw new Error("there is no Providus");
  const { merchant, issue } = await aShop(providus);
  const { account_number } = (await issue()).body;
  const simulator = control(providus.path);
  await simulator.post("/behaviour", { operation: "verify", behaviour: "timeout", times: 2 });
  const { body } = await simulator.post("/transfers", { account_number, amount: 100 });
  expect(JSON.stringify(body)).toContain('"responseCode":"03"');
  await expectCredited(merchant, [100]);
});

/** The merchant's server was notified of each once, in this order; the ledger and the intake have these and no others. */
async function expectCredited(merchant: TestMerchant, naira: number[]): Promise<void> {
  const events = inOrder(await merchant.untilReceived("live", naira.length));
  expect(events.map(({ body }) => (body.data as { amount: number }).amount)).toEqual(naira);
  const kobo = naira.map((amount) => BigInt(amount) * 100n);
  const [ofIntake, ofLedger] = [
    "select amount from inbound_transfers where merchant_id = $1 order by received_at, intake_id",
    "select amount from transactions where merchant_id = $1 and kind = 'collection' order by id",
  ];
  const amounts = async (service: "accounts" | "ledger", query: string) =>
    (await stack.database(service).query<{ amount: bigint }>(query, [merchant.id])).rows.map(({ amount }) => amount);
  expect(await amounts("accounts", ofIntake)).toEqual(kobo);
  expect(await amounts("ledger", ofLedger)).toEqual(kobo);
}
