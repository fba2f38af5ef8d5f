import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { redrive } from "./proof.ts";

// The pause between two sessions with one amount is only a second here.
const stack = await startStack({ env: { payments: { PAID_AT_TOLERANCE_S: "0", SLOT_PAUSE_S: "1" } } });
afterAll(() => stack.stop());

type Session = { reference: string; account_number: string; amount: number; status: string };

async function aShop() {
  const since = new Date().toISOString();
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const open = async (amount: number) => (await api.post("/payments", { amount })).body as unknown as Session;
  const get = async ({ reference }: Session) => (await api.get(`/payments/${reference}`)).body as unknown as Session;
  const pay = ({ account_number, amount }: Session) =>
    reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount }));
  const isPair = (one: Session, other: Session) =>
    one.account_number === other.account_number && one.amount === other.amount;
  return { since, merchant, api, open, get, pay, isPair };
}

/** Ends the watch window of a session. */
const end = ({ reference }: Session) =>
  stack
    .database("payments")
    .query("update sessions set expires_at = clock_timestamp(), watch_until = clock_timestamp() where reference = $1", [
      reference,
    ]);
const isOver = ({ reference }: Session) =>
  until(`the window of ${reference} is closed`, async () => {
    const { rows } = await stack
      .database("payments")
      .query("select 1 from sessions where reference = $1 and watch_until < clock_timestamp() and not slot_held", [
        reference,
      ]);
    return rows.length === 1;
  });

test("a transfer received in the first payer's time belongs to the first payer, although another payer has the same amount by now", async () => {
  const { since, merchant, open, get, pay, isPair } = await aShop();
  const old = await open(1000);
  await stack.service("ledger").kill9();
  expect((await pay(old)).status).toBe(200);
  await end(old);
  await isOver(old);
  // Takes every free amount of this price, the old one last, with sessions of this price and of prices that share
  // amounts with it.
  const refilled: Session[] = [];
  while (!refilled.some((session) => isPair(session, old)))
    refilled.push(await open(refilled.length % 2 ? 1000 : 999.99));
  await stack.service("ledger").restart();
  await redrive(stack, { since });
  await merchant.untilReceived("live", 1);
  expect(["paid", "paid_late"]).toContain((await get(old)).status);
  for (const session of refilled) expect((await get(session)).status).toBe("pending");
});

test("while a session can still be paid late, no other session gets its amount, whatever its price", async () => {
  const { api, merchant, open, get, pay, isPair } = await aShop();
  const old = await open(1000);
  await stack
    .database("payments")
    .query("update sessions set expires_at = clock_timestamp() where reference = $1", [old.reference]);
  await until("it is expired", async () => (await get(old)).status === "expired");
  const others = await Promise.all(Array.from({ length: 150 }, (_, n) => open(n % 3 ? 1000 : 999.6)));
  expect(others.filter((session) => isPair(session, old))).toEqual([]);
  await pay(old);
  await merchant.untilReceived("live", 1);
  expect((await get(old)).status).toBe("paid_late");
  for (const session of others) expect((await get(session)).status).toBe("pending");
  expect((await api.get("/balance")).status).toBe(200);
});

test("a transfer received after the watch window, while no session has its amount, is credited and unmatched", async () => {
  const { merchant, open, get, pay } = await aShop();
  const [old, other] = [await open(1000), await open(1000)];
  await end(old);
  await isOver(old);
  await pay(old);
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body.data).toMatchObject({ amount: old.amount, payment_reference: null });
  await until("it is expired", async () => (await get(old)).status === "expired");
  expect((await get(other)).status).toBe("pending");
});
