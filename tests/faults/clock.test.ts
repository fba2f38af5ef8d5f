import { reserveTransfer, runSettlement } from "@collect/contracts";
import { transaction } from "@collect/database";
import { randomId, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { shiftedClock } from "../stack/clock.ts";
import { startStack, type TestMerchant } from "../stack.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const stack = await startStack({
  env: {
    accounts: shiftedClock(-HOUR_MS),
    ledger: shiftedClock(2 * DAY_MS),
    payments: shiftedClock(HOUR_MS),
    webhooks: shiftedClock(2 * DAY_MS),
  },
});
afterAll(() => stack.stop());

const isNow = (instant: unknown) => Math.abs(Date.parse(String(instant)) - Date.now()) < HOUR_MS / 2;

/** A merchant whose customer has paid once, in live mode. */
async function aPaidShop(): Promise<TestMerchant> {
  const merchant = await stack.createMerchant();
  const { body } = await client(stack.baseUrl, merchant.keys.sk_live).post("/customer_accounts", {
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
  });
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: String(body.account_number), amount: 100 }));
  await merchant.untilReceived("live", 1);
  return merchant;
}

test("a ledger whose clock is days ahead settles what is due, and nothing before its time", async () => {
  const shops = [await aPaidShop(), await aPaidShop()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [recent, due] = shops as [TestMerchant, TestMerchant];
  await transaction(stack.database("ledger"), async (tx) => {
    await tx.query("set local session_replication_role = replica");
    await tx.query("update entries set recorded_at = recorded_at - interval '3 days' where account_id = $1", [
      `live:collected:${due.id}`,
    ]);
  });
  // It settles at startup, in the order of merchant ids.
  await stack.service("ledger").restart();
  const settlements = async (merchant: TestMerchant) =>
    (await stack.database("ledger").query("select cut_off from settlements where merchant_id = $1", [merchant.id]))
      .rows;
  const [settled] = await until("what is due is settled", async () => {
    const rows = await settlements(due);
    return rows.length > 0 && rows;
  });
  expect(Date.parse(settled.cut_off)).toBeLessThan(Date.now());
  expect(await settlements(recent)).toEqual([]);
  const balance = await client(stack.baseUrl, recent.keys.sk_live).get("/balance");
  expect(balance.body).toMatchObject({ collected: 99, settled: 0 });
});

test("bookings for a transfer, and events, have the database's time, whatever the process clocks", async () => {
  const merchant = await aPaidShop();
  const scope = { id: merchant.id, mode: "live" as const };
  const [delivery] = merchant.received("live");
  expect(isNow(delivery?.body.created_at)).toBe(true);
  await stack.bus.request(runSettlement, { merchant: scope });
  const transferId = randomId("trf");
  await stack.bus.request(reserveTransfer, { transfer_id: transferId, merchant: scope, amount: "100" });
  const { rows } = await stack
    .database("ledger")
    .query("select occurred_at from transactions where key = $1", [`${transferId}:reserve`]);
  expect(isNow(rows[0]?.occurred_at)).toBe(true);
});

test("although accounts is an hour behind, test money is paid now and matches a session that was just created", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const { body: session } = await api.post("/payments", { amount: 2500 });
  const paid = await api.post("/sandbox/pay", { outcome: "paid", payment_reference: session.reference });
  expect(paid).toMatchObject({ status: 200, body: { reference: session.reference } });
  const { body } = await api.get(`/payments/${session.reference}`);
  expect(body).toMatchObject({ status: "paid" });
  expect(isNow((body.collections as { paid_at: string }[])[0]?.paid_at)).toBe(true);
});
