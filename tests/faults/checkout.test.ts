import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** A browser's polling interval; more frequent calls would be rate-limited. */
const POLL_MS = 500;

async function aShop() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const open = async () => (await api.post("/payments", { amount: 100, customer_name: "Ada Obi" })).body;
  const pay = (session: Record<string, unknown>) =>
    reportTransfer(
      stack.bankDoor,
      aBankTransfer({ account_number: String(session.account_number), amount: Number(session.amount) }),
    );
  const shownStatus = async (session: Record<string, unknown>) =>
    (await client(stack.checkoutUrl).get(`/checkout/${session.reference}`)).body.status;
  return { merchant, api, open, pay, shownStatus };
}

test("payments received while the checkout was down and the broker was wiped are shown within 30 s after its restart", async () => {
  const { merchant, open, pay, shownStatus } = await aShop();
  const sessions = await Promise.all(Array.from({ length: 5 }, open));
  for (const session of sessions) expect(await shownStatus(session)).toBe("pending");
  await stack.service("checkout").kill9();
  for (const session of sessions) expect((await pay(session)).status).toBe(200);
  await merchant.untilReceived("live", sessions.length);
  await stack.wipeNats();
  await stack.service("checkout").restart();
  const waiting = new Set(sessions);
  for (const end = performance.now() + 30_000; waiting.size > 0 && performance.now() < end; await sleep(POLL_MS))
    for (const session of waiting) if ((await shownStatus(session)) === "paid") waiting.delete(session);
  expect(waiting.size).toBe(0);
});

test("a checkout whose database was emptied shows every session again", async () => {
  const { open, shownStatus } = await aShop();
  const session = await open();
  await stack.database("checkout").query("truncate session_views");
  expect(await shownStatus(session)).toBe("pending");
});

test("1,000 polling payers cause at most one batched request per second to payments", async () => {
  const { open } = await aShop();
  const sessions: Record<string, unknown>[] = [];
  while (sessions.length < 1_000) sessions.push(...(await Promise.all(Array.from({ length: 50 }, open))));
  // As after a long outage: the database is empty, and no events arrive.
  await stack.database("checkout").query("truncate session_views");
  const reads = () => stack.logs("payments").split('"payments.sessions.read"').length - 1;
  const before = reads();
  const began = performance.now();
  const { get } = client(stack.checkoutUrl);
  // A payer of a busy machine may be told to try again.
  const read = async (reference: unknown): Promise<number> => {
    for (;;) {
      const { status } = await get(`/checkout/${reference}`);
      if (status !== 503) return status;
      await sleep(POLL_MS);
    }
  };
  for (let round = 0; round < 5; round++) {
    const statuses = await Promise.all(sessions.map(({ reference }) => read(reference)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await sleep(POLL_MS);
  }
  const seconds = (performance.now() - began) / 1_000;
  expect(reads() - before).toBeGreaterThan(0);
  expect(reads() - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});
