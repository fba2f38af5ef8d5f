import {
  getPayoutState,
  resumeMerchant,
  rollKey,
  showPayouts,
  startPayouts,
  stopPayouts,
  suspendMerchant,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { AMOUNT, beneficiary, openShop, payoutsAt, proveCompleted, SETTLED, type Shop } from "../faults/shop.ts";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const { bus } = stack;
const PAYOUTS = 200;
const CLIENTS = 20;
/** Payouts that the bank has, and accepted ones that it has not, when they are halted: some are being claimed, asked for and sent. */
const SENT_MIN = 20;
const WAITING_MIN = 20;
/** A refusal that an honest client answers by repeating the order. */
const PASSING = ["provider_timeout", "service_unavailable"];

const live = ({ merchant: { id } }: Shop) => ({ merchant: { id, mode: "live" as const } });
const order = (n: number) => ({
  amount: AMOUNT,
  bank_code: "058",
  account_number: beneficiary(n),
  reference: `payout-${n}`,
});
const suspend = (shop: Shop) =>
  bus.request(suspendMerchant, { merchant_id: shop.merchant.id, reason: "Chargebacks under review" });
const resume = (shop: Shop) => bus.request(resumeMerchant, { merchant_id: shop.merchant.id, reason: "Reviewed" });
const heldOf = async (shop: Shop) => (await bus.request(getPayoutState, live(shop))).held;

/**
 * Orders 200 payouts, which the bank answers slowly, and halts them while they run. Returns the references of those that were
 * accepted, and of those that the bank had when the command returned.
 */
async function haltWhilePayoutsRun(shop: Shop, halt: () => Promise<unknown>, code: string) {
  const bank = client(`${stack.bankSimulatorUrl}/control`);
  await bank.post("/behaviour", { operation: "payouts", behaviour: "slow", delay_ms: 500 });
  const references: string[] = [];
  const numbers = Array.from({ length: PAYOUTS }, (_, n) => n);
  const ordering = Promise.all(Array.from({ length: CLIENTS }, () => orderAll(shop, { numbers, references, code })));
  await until("payouts are under way", async () => {
    const sent = (await sentOf(references)).length;
    return sent >= SENT_MIN && references.length - sent >= WAITING_MIN;
  });
  await halt();
  const atBank = new Set((await payoutsAt(stack)).map(({ id }) => id));
  await ordering;
  await bank.post("/behaviour", { operation: "payouts", behaviour: "normal" });
  return { references, sent: references.filter((reference) => atBank.has(reference)) };
}

type Ordering = { numbers: number[]; references: string[]; code: string };

/** One client: orders what nobody has ordered yet, until all are ordered or one is refused with this code. */
async function orderAll(shop: Shop, { numbers, references, code }: Ordering): Promise<void> {
  for (let n = numbers.pop(); n !== undefined; ) {
    const { status, body } = await shop.api.post("/transfers", order(n));
    if (PASSING.includes(String(body.code))) continue;
    if (status !== 201 && status !== 200) return expect(body.code).toBe(code);
    references.push(String(body.reference));
    n = numbers.pop();
  }
}

const sentOf = async (references: string[]) =>
  (await payoutsAt(stack)).map(({ id }) => id).filter((id) => references.includes(id));

test("suspended while 200 payouts run: none is sent after the command returned; all go on, once, after the resumption", async () => {
  const shop = await openShop(stack);
  const { references, sent } = await haltWhilePayoutsRun(shop, () => suspend(shop), "merchant_suspended");
  expect(sent.length).toBeLessThan(references.length);
  await until(
    "every accepted order is held or was sent",
    async () => (await heldOf(shop)) === references.length - sent.length,
  );
  expect((await sentOf(references)).toSorted()).toEqual(sent.toSorted());
  await resume(shop);
  await proveCompleted(stack, shop, references);
  expect(await heldOf(shop)).toBe(0);
});

test("a suspended merchant's other merchants go on", async () => {
  const [suspended, other] = [await openShop(stack), await openShop(stack)];
  await suspend(suspended);
  const references = await Promise.all([0, 1, 2].map(other.send));
  await proveCompleted(stack, other, references);
});

test("while it is suspended: it reads, and money that arrives is credited; nothing new is made; test mode goes on", async () => {
  const shop = await openShop(stack);
  const { body: session } = await shop.api.post("/payments", { amount: 1_000, reference: "before" });
  const { body: customer } = await shop.api.get("/customer_accounts/c");
  const first = await suspend(shop);
  expect(await suspend(shop)).toEqual(first);

  const refused = [
    ["/customer_accounts", { customer_reference: "new", customer_name: "Ada" }],
    ["/payments", { amount: 1_000 }],
    ["/transfers", order(1)],
    ["/transfers/resolve", { bank_code: "058", account_number: beneficiary(1) }],
  ] as const;
  for (const [path, body] of refused)
    expect(refusalIn(await shop.api.post(path, body))).toEqual(refusal("merchant_suspended", { mode: "live" }));
  const page = client(stack.checkoutUrl, shop.merchant.keys.pk_live);
  expect(refusalIn(await page.post("/checkout", { amount: 1_000 }))).toMatchObject({ code: "merchant_suspended" });
  const roll = { merchant_id: shop.merchant.id, mode: "live", kind: "secret", overlap_hours: 0 } as const;
  await expect(bus.request(rollKey, roll)).rejects.toMatchObject({ code: "merchant_suspended" });

  // Its payers still see where to pay, and what they pay is credited and held.
  const shown = await client(stack.checkoutUrl).get(`/checkout/${session.reference}`);
  expect([shown.status, shown.body.status]).toEqual([200, "pending"]);
  expect((await shop.api.post("/payments", { amount: 1_000, reference: "before" })).status).toBe(200);
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: String(customer.account_number), amount: 100 }));
  await shop.merchant.untilReceived("live", 2);
  expect((await shop.api.get("/balance")).body).toMatchObject({ collected: 99, settled: SETTLED });

  const testKey = client(stack.baseUrl, shop.merchant.keys.sk_test);
  expect((await testKey.post("/payments", { amount: 1_000 })).status).toBe(201);
  await resume(shop);
  expect((await shop.api.post("/payments", { amount: 1_000 })).status).toBe(201);
  await proveCompleted(stack, shop, [await shop.send(1)]);
});

test("payouts stopped while 200 run: none is sent after the command returned, new orders reserve nothing; start sends them", async () => {
  const shop = await openShop(stack);
  const stop = () => bus.request(stopPayouts, { reason: "The bank's file differs" });
  const { references, sent } = await haltWhilePayoutsRun(shop, stop, "payouts_stopped");
  const { settled } = (await shop.api.get("/balance")).body;
  const refused = await shop.api.post("/transfers", order(PAYOUTS + 1));
  expect(refusalIn(refused)).toEqual(refusal("payouts_stopped", { mode: "live" }));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await shop.api.get("/balance")).body.settled).toBe(settled);
  await until(
    "every accepted order is held or was sent",
    async () => (await heldOf(shop)) === references.length - sent.length,
  );
  expect((await sentOf(references)).toSorted()).toEqual(sent.toSorted());
  // A process that starts now reads the same row.
  await stack.service("payments").kill9();
  await stack.service("payments").restart();
  expect((await bus.request(showPayouts, {})).stopped).toMatchObject({ reason: "The bank's file differs" });
  expect((await sentOf(references)).toSorted()).toEqual(sent.toSorted());
  await bus.request(startPayouts, { reason: "Explained" });
  await proveCompleted(stack, shop, references);
});
