import { setTimeout as sleep } from "node:timers/promises";
import { nuban } from "@collect/bank";
import { Balance, Collection, CollectionReversed, getLedgerProof, Payment, runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { auditOf, differencesIn } from "./audit-parts.ts";
import { proveAudit } from "./restore.ts";
import { openTakenBack } from "./taken-back.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const bank = client(stack.bankSimulatorUrl);
const BENEFICIARY = { bank_code: "058", account_number: nuban({ bankCode: "058", serial: "000000701" }) };

test("what the bank takes back is undone once, sent once, and shown wherever the money was; what is missing is owed", async () => {
  const merchant = await stack.createMerchant();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const order = { amount: 2500, reference: "order-1", customer_reference: "cust_42", customer_name: "Ada Obi" };
  const payment = async () => Payment.parse((await live.post("/payments", order)).body);
  const balance = async () => Balance.parse((await live.get("/balance")).body);
  const { reference, amount, account_number } = await payment();
  const naira = (kobo: bigint) => Number(kobo) / 100;
  const paid = { account_number, amount: naira(amount), id: "paid-1", bank_fee: 20 };
  expect((await bank.post("/control/transfers", paid)).status).toBe(200);
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const payout = await live.post("/transfers", { ...BENEFICIARY, amount: 2000, reference: "payout-1" });
  expect(payout.status).toBe(201);
  const back = { ...paid, type: "reversal", reverses: "paid-1" };
  const part = await bank.post("/control/transfers", { ...back, id: "back-1", amount: 1000, times: 5 });
  expect(JSON.stringify(part.body).match(/"status":"(accepted|duplicate)"/g)).toHaveLength(5);
  await until("the first part", async () => (await balance()).owed);
  await bank.post("/control/transfers", { ...back, id: "back-2", amount: naira(amount - 100_000n) });
  const events = await until("both events", async () => {
    const { body } = await live.get("/events?type=collection.reversed");
    const { data } = z.object({ data: z.array(z.object({ body: z.string() })) }).parse(body);
    return data.length === 2 && data.map((event) => CollectionReversed.parse(JSON.parse(event.body)).data);
  });
  expect(events).toMatchObject([
    { collection_reference: reference, amount: 100_000n, amount_reversed: 100_000n, merchant_reference: "order-1" },
    { reference: expect.stringMatching(/^rev_/), amount: amount - 100_000n, amount_reversed: amount },
  ]);
  const collection = Collection.parse((await live.get(`/collections/${reference}`)).body);
  expect(collection).toMatchObject({ amount, amount_reversed: amount });
  expect(collection.reversals?.map((one) => [one.amount, one.fee])).toEqual(events.map((one) => [one.amount, one.fee]));
  expect(events.reduce((sum, { fee }) => sum + fee, 0n)).toBe(collection.fee);
  expect(await payment()).toMatchObject({ status: "paid", amount_received: amount, amount_reversed: amount });
  const { collected, settled, owed = 0n } = await balance();
  expect(collected + settled - owed).toBe(-200_000n);
  await merchant.untilReceived("live", 4);
  await until("the audit holds", async () => (await stack.bus.request(getLedgerProof, {})).holds);
});

/** `committed`: after commit, before publish. `published`: before acknowledge. */
const DEATHS = [
  ["committed", ["accounts", "ledger", "payments", "webhooks"]],
  ["published", ["ledger", "payments", "webhooks"]],
] as const;

test("a reversal loses and doubles nothing when every service on its way dies, before it publishes or before it acknowledges", async () => {
  const collection = await openTakenBack(stack);
  for (const [failpoint, names] of DEATHS) {
    const services = names.map((name) => stack.service(name));
    await Promise.all(services.map((service) => service.restart({ env: { FAILPOINT: `${failpoint}:1` } })));
    let alive = services.length;
    const deaths = services.map(async (service) => {
      await service.exited();
      await service.restart();
      alive--;
    });
    const driving = async () => {
      while (alive > 0) await Promise.all([collection.drive(), sleep(200)]);
    };
    await Promise.all([...deaths, collection.reverse(), driving()]);
  }
  await collection.prove();
  await proveAudit(stack);
  const since = new Date().toISOString();
  const proof = async () => (await auditOf(stack)).parts.find(({ name }) => name === "reversals");
  const held = await until("reversals are compared", async () => {
    const part = await proof();
    return part && (part.proven_at ?? "") > since && part;
  });
  expect(held.differences).toEqual([]);
  // The oldest one: what died before it was acknowledged is delivered again, and would be stored anew.
  const oldest = "(select reversal_id from reversals order by stored_at limit 1)";
  const { rows } = await stack
    .database("payments")
    .query(`delete from reversals where reversal_id = ${oldest} returning reversal_id`);
  const lost = `reversal ${rows[0]?.reversal_id}: payments has nothing of it, instead of reversal`;
  await until("the audit names what is lost", async () => (await differencesIn(stack)).join().includes(lost));
});
