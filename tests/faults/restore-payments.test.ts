import { nuban, TEST_BANK } from "@collect/bank";
import {
  attachCollection,
  browseTransfers,
  confirmTransferBatch,
  runSettlement,
  showTransferBatch,
  uploadTransferBatch,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { type Client, client } from "../stack/client.ts";
import { startStack, type TestMerchant } from "../stack.ts";
import { proveNumbers } from "./numbers.ts";
import { proveNothingLost } from "./proof.ts";
import { backUp, proveAudit, restoreUnderLoad, untilCaughtUp } from "./restore.ts";
import { openShop, passTimeOfUnknown, payoutOrder, payoutsAt, proveCompleted, type Shop } from "./shop.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("payments restored under load sends no transfer twice, recovers every transfer, and renames no collection", async () => {
  const [traffic, shop] = [await openTraffic(stack), await openShop(stack)];
  const lookup = lookUpWhileRestored(shop);
  const references = await restoreUnderLoad(stack, "payments", { traffic, shop });
  expect(await lookup.end()).toEqual(new Set(["found", "service_unavailable"]));
  expect(new Set(references).size).toBe(references.length);
  // A repeated order returns the original transfer.
  for (const [n, reference] of references.entries()) {
    const { status, body } = await shop.api.post("/transfers", payoutOrder(n));
    expect([n, status, body.reference, body.metadata]).toEqual([n, 200, reference, { n: String(n) }]);
  }
  await proveNothingLost(stack, traffic);
  await passTimeOfUnknown(stack);
  await proveCompleted(stack, shop, references);
  const atBank = (await payoutsAt(stack)).map(({ id }) => id);
  expect(new Set(atBank).size).toBe(atBank.length);
  expect(new Set(references)).toEqual(new Set([...references, ...atBank]));
  proveNumbers(shop.merchant);
  await proveAudit(stack);
}, 240_000);

/** Looks for a transfer, ordered after the backup, as the dashboard does; every outcome from the first time that it is found. */
function lookUpWhileRestored({ merchant }: Shop) {
  const outcomes = new Set<string>();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const outcome = await stack.bus
        .request(browseTransfers, { merchant: { id: merchant.id, mode: "live" }, search: "payout-15" })
        .then(
          ({ data }) => (data.length === 1 ? "found" : "there is none"),
          ({ code }) => String(code),
        );
      if (outcome === "found" || outcomes.size > 0) outcomes.add(outcome);
    }
  })();
  return {
    async end(): Promise<Set<string>> {
      isOver = true;
      await asking;
      return outcomes;
    },
  };
}

async function pay({ account_number, amount }: Record<string, unknown>): Promise<void> {
  const paid_at = new Date().toISOString().replace("Z", "+00:00");
  const money = aBankTransfer({ account_number: String(account_number), amount: Number(amount), paid_at });
  expect((await reportTransfer(stack.bankDoor, money)).status).toBe(200);
}

/** Pays an amount that is no session's, and returns what it is called in its event. */
async function payPart(
  merchant: Shop["merchant"],
  { account_number, amount }: Record<string, unknown>,
): Promise<string> {
  await pay({ account_number, amount });
  return until("it is credited", () => {
    const events = merchant.received("live").map(({ raw }) => JSON.parse(String(raw)).data);
    return events.find((data) => data.amount === amount)?.reference;
  });
}

const attach = ({ id, name }: Shop["merchant"], reference: string, payment_reference: string) =>
  stack.bus.request(attachCollection, { merchant: { id, name, mode: "live" }, reference, payment_reference });

const order = (n: number) => ({ amount: 5_000, reference: `order-${n}`, metadata: { n: String(n) } });

/** A session as its merchant and its payer see it; asking for it again creates no other. */
async function snapshotOf(api: Client, n: number, session: Record<string, unknown>) {
  const again = await api.post("/payments", { ...order(n), metadata: {} });
  const page = await client(stack.checkoutUrl).get(`/checkout/${session.reference}`);
  const { status, reference, account_number, amount, metadata, collections } = again.body;
  const shown = { status, reference, account_number, amount, metadata, collections };
  return { ...shown, code: again.status, page: page.body.status };
}

test("after a restore a session is recovered unchanged for its payer and its merchant, paid or not, and a file of transfers pays no line again", async () => {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const open = async (n: number) => (await api.post("/payments", order(n))).body;
  // The backup closes connections: no session is created until a peer has confirmed the database again.
  const untilOpen = (n: number) =>
    until("the session is created", async () => {
      const session = await open(n);
      return session.account_number ? session : undefined;
    });
  const payroll = await aPayroll(merchant);
  const [early, parted] = [await open(0), await open(3)];
  const part = (amount: number) => payPart(merchant, { account_number: early.account_number, amount });
  const known = await part(1_000);
  const restore = await backUp(stack, "payments");
  await payroll.send();
  const [paid, waiting] = [await untilOpen(1), await open(2)];
  await pay(early);
  await pay(paid);
  // A person says that both are for an order: of money that the backup has, and of money that is lost with it.
  for (const reference of [known, await part(1_500)]) await attach(merchant, reference, String(parted.reference));
  await merchant.untilReceived("live", 6);
  const sessions = [early, paid, waiting, parted];
  const before = await Promise.all(sessions.map((session, n) => snapshotOf(api, n, session)));
  const expected = ["paid", "paid", "pending", "underpaid"].map((status, n) => [status, { n: String(n) }]);
  expect(before.map(({ status, metadata }) => [status, metadata])).toEqual(expected);

  await restore();
  // While payments recovers, a read of a lost session never answers 404: the merchant would create it again.
  const read = () => api.get(`/payments/${waiting.reference}`).then(({ status }) => status);
  const statuses = new Set<number>();
  let isCaughtUp = false;
  const asking = (async () => {
    while (!isCaughtUp) statuses.add(await read());
  })();
  await stack.service("payments").restart();
  await untilCaughtUp(stack, "payments");
  isCaughtUp = true;
  await asking;
  expect(statuses).not.toContain(404);
  expect(await read()).toBe(200);
  await until("their pages show the same", async () => {
    const after = await Promise.all(sessions.map((session, n) => snapshotOf(api, n, session)));
    return JSON.stringify(after) === JSON.stringify(before);
  });
  await payroll.provePaidOnce();
  // The pending one is still paid by its exact amount.
  await pay(waiting);
  await until("it is paid", async () => (await api.get(`/payments/${waiting.reference}`)).body.status === "paid");
  await merchant.untilReceived("live", 7);
  proveNumbers(merchant);
  await proveAudit(stack);
}, 120_000);

/** A file of three transfers in test mode that is checked, and not confirmed. */
async function aPayroll({ id, keys }: TestMerchant) {
  const merchant = { id, mode: "test" as const };
  const api = client(stack.baseUrl, keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ngozi Eze" });
  await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "paid", amount: 10_000 });
  await stack.bus.request(runSettlement, { merchant });
  const account = (n: number) => nuban({ bankCode: TEST_BANK.code, serial: `0000009${n}1` });
  const lines = [1, 2, 3].map((n) => `1000,${TEST_BANK.code},${account(n)}`);
  const content = ["amount,bank_code,account_number", ...lines].join("\n");
  const { batch } = await stack.bus.request(uploadTransferBatch, { merchant, name: "salaries.csv", content });
  const file = { merchant, reference: batch.reference };
  const show = () => stack.bus.request(showTransferBatch, file);
  const untilState = (state: string) => until(`the file is ${state}`, async () => (await show()).state === state);
  const confirm = () => stack.bus.request(confirmTransferBatch, { ...file, lines: 3, total: 3_000 });
  const paid = async () => (await api.get("/transfers")).body.data as unknown[];
  await untilState("checked");
  return {
    send: async () => {
      // The backup closes connections: nothing is confirmed until a peer has confirmed the database again.
      await until("the file is confirmed", () => confirm().catch(() => undefined));
      await untilState("sent");
    },
    /** The restored file knows of no confirmation. Its transfers are recovered, so a person who confirms it again sends nothing. */
    provePaidOnce: async () => {
      expect(await show()).toMatchObject({ state: "checked", ordered: 0 });
      await expect(confirm()).rejects.toMatchObject({ code: "conflict" });
      expect(await show()).toMatchObject({ state: "checked", ordered: 3 });
      expect(await paid()).toHaveLength(3);
    },
  };
}
