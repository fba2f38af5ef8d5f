import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { redrive } from "./proof.ts";

// An amount rests only for a second between two sessions here.
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

/** The watch window of a session ends in a moment. */
const endSoon = ({ reference }: Session) =>
  stack
    .database("payments")
    .query(
      "update sessions set expires_at = clock_timestamp() + interval '1 second', watch_until = clock_timestamp() + interval '1 second' where reference = $1",
      [reference],
    );
const isOver = ({ reference }: Session) =>
  until(`the window of ${reference} is closed`, async () => {
    const { rows } = await stack
      .database("payments")
      .query("select 1 from sessions where reference = $1 and watch_until < clock_timestamp() and not slot_held", [
        reference,
      ]);
    return rows.length === 1;
  });

test("money for a quote whose amount another payer has by now is the first payer's, if it came in the first one's time", async () => {
  const { since, merchant, open, get, pay, isPair } = await aShop();
  const old = await open(1000);
  await stack.service("ledger").kill9();
  await endSoon(old);
  expect((await pay(old)).status).toBe(200);
  await isOver(old);
  // Every free amount of this price is taken, the old one last, by payers of this price and of others that come to the same.
  const refilled: Session[] = [];
  while (!refilled.some((session) => isPair(session, old)))
    refilled.push(await open(refilled.length % 2 ? 1000 : 999.99));
  await stack.service("ledger").restart();
  await redrive(stack, { since });
  await merchant.untilReceived("live", 1);
  expect(["paid", "paid_late"]).toContain((await get(old)).status);
  for (const session of refilled) expect((await get(session)).status).toBe("pending");
});

test("while a quote can still be paid late, nobody else is given its amount, whatever price he asks", async () => {
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

test("money that comes when its quote is no longer watched, and nobody has its amount, is credited and matches nobody", async () => {
  const { merchant, open, get, pay } = await aShop();
  const [old, other] = [await open(1000), await open(1000)];
  await endSoon(old);
  await isOver(old);
  await pay(old);
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body.data).toMatchObject({ amount: old.amount, payment_reference: null });
  await until("it is expired", async () => (await get(old)).status === "expired");
  expect((await get(other)).status).toBe("pending");
});
