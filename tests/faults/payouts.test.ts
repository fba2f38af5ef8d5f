import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const SETTLED = 99_000;
const AMOUNT = 100;
const bank = client(`${stack.bankSimulatorUrl}/control`);
const beneficiary = (n: number) => nuban({ bankCode: "058", serial: String(10_000_000 + n).padStart(9, "0") });

/** A merchant with money in Settled, in live mode, at a bank that is told how to treat payouts. */
async function aShop() {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const { body: customer } = await api.post("/customer_accounts", { customer_reference: "c", customer_name: "Ada" });
  const account_number = String(customer.account_number);
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount: SETTLED / 0.99 }));
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  expect((await api.get("/balance")).body).toMatchObject({ settled: SETTLED });

  /** As a server does that gets no answer: again under the same reference. */
  const send = (n: number) =>
    until(`transfer ${n} is taken`, async () => {
      const order = { amount: AMOUNT, bank_code: "058", account_number: beneficiary(n), reference: `payout-${n}` };
      const answer = await api.post("/transfers", order).catch(() => undefined);
      return answer !== undefined && answer.status < 300 && String(answer.body.reference);
    });
  return { merchant, api, send };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

type Payout = { id: string; status: string; times_sent: number };
const payouts = async () => (await bank.get("/payouts")).body.payouts as Payout[];

/** What the schedule would do later happens now. */
const hurry = () =>
  stack.database("payments").query("update transfers set next_at = now() where next_at > now() and step <> 'told'");

/** Each was sent to the bank once, ended as the bank says, was told once, and is in the balance to the kobo. */
async function proveEnded({ merchant, api }: Shop, references: string[]): Promise<void> {
  const ended = await until(
    "every transfer has ended",
    async () => {
      await hurry();
      const answers = await Promise.all(references.map((reference) => api.get(`/transfers/${reference}`)));
      const transfers = answers.map(({ body }) => body);
      return transfers.every(({ status }) => status === "success" || status === "failed") && transfers;
    },
    60_000,
  );
  const atBank = new Map((await payouts()).map((payout) => [payout.id, payout]));
  for (const { reference, status } of ended) {
    const payout = atBank.get(String(reference));
    expect([reference, payout?.status, payout?.times_sent]).toEqual([reference, status, 1]);
  }
  const paid = ended.filter(({ status }) => status === "success").length;
  // After a broker's return a service may still be on its way back, and the call is answered 503.
  const balance = await until("the balance is answered", async () => {
    const { status, body } = await api.get("/balance");
    return status === 200 && body;
  });
  expect(balance).toMatchObject({ settled: SETTLED - paid * AMOUNT });
  const { rows } = await stack
    .database("ledger")
    .query("select balance from ledger_accounts where kind = 'payouts' and merchant_id = $1", [merchant.id]);
  expect(rows).toEqual([{ balance: 0n }]);
  await until("each is told", async () => {
    await hurry();
    return told(merchant).size === references.length;
  });
  expect(told(merchant)).toEqual(new Map(ended.map(({ reference, status }) => [reference, `transfer.${status}`])));
}

/** The kind of event by transfer, each event once however often it was delivered. */
function told(merchant: Shop["merchant"]): Map<unknown, unknown> {
  const events = merchant.received("live").filter(({ body }) => String(body.event).startsWith("transfer."));
  return new Map(events.map(({ body }) => [(body.data as { reference: string }).reference, body.event]));
}

test.each(["timeout", "nonsense", "slow"] as const)(
  "a bank whose answers to payouts are %s is asked, never told to pay again",
  async (behaviour) => {
    const shop = await aShop();
    await bank.post("/behaviour", { operation: "payouts", behaviour, times: 5, delay_ms: 1_500 });
    const references = await Promise.all([0, 1, 2, 3, 4, 5].map(shop.send));
    await proveEnded(shop, references);
  },
);

test("payouts that the bank settles later, or fails, end as it says", async () => {
  const shop = await aShop();
  await bank.post("/payouts", { begin: "pending", times: 4 });
  const references = await Promise.all([0, 1, 2, 3].map(shop.send));
  await until("the bank has them", async () => {
    const known = new Set((await payouts()).map(({ id }) => id));
    return references.every((reference) => known.has(reference));
  });
  for (const [index, reference] of references.entries())
    await bank.post(`/payouts/${reference}`, { status: index % 2 === 0 ? "success" : "failed" });
  await proveEnded(shop, references);
});

test.each(["payments", "ledger", "webhooks"] as const)(
  "%s killed again and again while transfers are sent pays nobody twice and keeps no reserve",
  async (name) => {
    const shop = await aShop();
    const service = stack.service(name);
    let over = false;
    const dying = async () => {
      for (let times = 0; times < 4; times++) {
        await service.kill9();
        await service.restart();
      }
      over = true;
    };
    const references: string[] = [];
    const sending = async () => {
      while (!over && references.length < 200) references.push(await shop.send(references.length));
    };
    await Promise.all([dying(), sending()]);
    expect(references.length).toBeGreaterThan(0);
    await proveEnded(shop, references);
  },
  120_000,
);

test("a broker that loses everything while transfers are told loses no event", async () => {
  const shop = await aShop();
  await stack.service("webhooks").kill9();
  const references = await Promise.all([0, 1, 2].map(shop.send));
  await until("they have ended", async () => {
    const answers = await Promise.all(references.map((reference) => shop.api.get(`/transfers/${reference}`)));
    return answers.every(({ body }) => body.status === "success");
  });
  await stack.wipeNats();
  await stack.service("webhooks").restart();
  await proveEnded(shop, references);
});
