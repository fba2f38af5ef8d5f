import { createHash } from "node:crypto";
import { choosePartner, importStatements, putStatementPart, setBankAccount, showDay } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { openShop } from "../faults/shop.ts";
import { client } from "../stack/client.ts";
import { partnersOf, SIMULATED_PARTNERS } from "../stack/partners.ts";
import { startStack } from "../stack.ts";

const stack = await startStack({ env: { "bank-simulator": SIMULATED_PARTNERS } });
afterAll(() => stack.stop());
const { accounts, payments } = partnersOf(stack);
await stack.service("accounts").restart({ env: accounts });
await stack.service("payments").restart({ env: payments });
const monnify = client(`${stack.bankSimulatorUrl}/monnify/control`);

const ACCOUNT = SIMULATED_PARTNERS.MONNIFY_SOURCE_ACCOUNT_NUMBER;
/** The last day in Lagos that is over for certain. */
const DAY = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);

type Sent = { event: { eventData: Record<string, string> }; acknowledged: boolean };
/** A payment of ₦1,000, of which Monnify keeps ₦15. */
const order = (account_number: unknown, given: object = {}) => ({ account_number, amount: 1_000, ...given });
const report = async (...given: Parameters<typeof order>) => {
  const { body } = await monnify.post("/transfers", order(...given));
  const [sent] = body.transfers as Sent[];
  return sent?.event.eventData.transactionReference ?? "";
};

/** With a customer's account. It has received one payment at another bank. */
async function openShopAtMonnify() {
  const shop = await openShop(stack);
  await stack.bus.request(choosePartner, { merchant_id: shop.merchant.id, partner: "monnify" });
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi", bvn: "22215937046" };
  const { account_number } = (await shop.api.post("/customer_accounts", customer)).body;
  return { shop, account_number };
}

/** The statement of the day, as the simulated Monnify gives it. */
async function importStatement() {
  const statement = await fetch(`${stack.bankSimulatorUrl}/monnify/control/statement?day=${DAY}`);
  const bytes = Buffer.from(await statement.arrayBuffer());
  const hash = createHash("sha256").update(bytes).digest("hex");
  await stack.bus.request(putStatementPart, { hash, part: 1, data: bytes.toString("base64") });
  await stack.bus.request(importStatements, { hash, parts: 1, name: "monnify.sta" });
}

/** How the movements of these transfers are matched. */
async function evidence(ids: string[]): Promise<(string | null)[]> {
  await stack.bus.request(showDay, { day: DAY });
  const { rows } = await stack
    .database("statements")
    .query("select evidence from movements left join matches on id = match_id where refs && $1 order by key", [ids]);
  return rows.map((row) => row.evidence);
}

test("the line of a Monnify settlement is matched with its collections, net of fees, whichever Monnify reports first", async () => {
  const { shop, account_number } = await openShopAtMonnify();
  const first = await report(account_number);
  // Reported only after its settlement.
  const second = await report(account_number, { times: 0 });
  const settled = (await monnify.post("/settlements", { settled_at: `${DAY}T18:00:00.000+01:00` })).body as Sent;
  expect(settled.acknowledged).toBe(true);
  expect(settled.event.eventData.amount).toBe("1970.00");
  expect(await report(account_number, { transaction_reference: second })).toBe(second);
  await shop.merchant.untilReceived("live", 3);

  const account = { number: ACCOUNT, bank: "monnify", pays_out: false, charge_words: [], mapping: null };
  await stack.bus.request(setBankAccount, account);
  await importStatement();
  await until("both are read", async () => (await evidence([first, second])).length === 2);
  expect(await evidence([first, second])).toEqual(["settlement", "settlement"]);
});

test("a payment that Monnify settles and never reports is credited once, with one event, and a late report changes nothing", async () => {
  await stack.service("accounts").restart({ env: { ...accounts, ASK_SETTLED_AFTER_MS: "1000" } });
  const { shop, account_number } = await openShopAtMonnify();
  const collected = async () => Number((await shop.api.get("/balance")).body.collected);
  const before = await collected();
  await report(account_number);
  const lost = await report(account_number, { times: 0 });
  expect((await monnify.post("/settlements", {})).body).toMatchObject({ acknowledged: true });
  await shop.merchant.untilReceived("live", 3);
  expect(await collected()).toBe(before + 2 * 990);
  const late = await monnify.post("/transfers", order(account_number, { transaction_reference: lost, times: 3 }));
  const duplicate = { status: 200, body: { status: "duplicate" } };
  expect(late.body).toMatchObject({ transfers: [{ acknowledged: true, answers: Array(3).fill(duplicate) }] });
  // Whatever the late report brought about is there before the event of the next payment.
  await report(account_number);
  const events = await shop.merchant.untilReceived("live", 4);
  expect(events).toHaveLength(4);
  expect(new Set(events.map(({ body }) => (body.data as { reference: string }).reference)).size).toBe(4);
  expect(await collected()).toBe(before + 3 * 990);
});

test("a payout that Monnify returns after the last enquiry is reversed once Monnify says so, and is asked", async () => {
  await stack.service("payments").restart({ env: { ...payments, BANK_PARTNER: "monnify" } });
  const shop = await openShop(stack);
  const reference = await shop.send(0);
  const status = async () => (await shop.api.get(`/transfers/${reference}`)).body.status;
  await until("it is paid", async () => (await status()) === "success");
  await stack.database("payments").query("update transfers set follow_ups = 5, follow_up_at = null");
  await monnify.post(`/disbursements/${reference}`, { status: "REVERSED", reason: "Returned" });
  // Its amount and its state are not believed.
  const eventData = { reference, amount: 9_999_999, status: "SUCCESS" };
  const { body } = await monnify.post("/events", { eventType: "REVERSED_DISBURSEMENT", eventData });
  expect(body).toMatchObject({ acknowledged: true });
  await until("it is reversed", async () => (await status()) === "reversed");
});
