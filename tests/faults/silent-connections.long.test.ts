import { openWire } from "@collect/servers";
import { until } from "@collect/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { startStack } from "../stack.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** A bank waits about ten seconds for a response. */
const BANK_WAITS_MS = 10_000;

/** While transfers flow, every connection of the services to PostgreSQL goes silent. New connections work. */
async function silenced(...names: ("accounts" | "ledger" | "payments" | "webhooks")[]) {
  const traffic = await openTraffic(stack);
  const behindWire = async (name: (typeof names)[number]) => {
    const wire = await openWire(stack.databaseUrl(name));
    onTestFinished(() => wire.close());
    await stack.service(name).restart({ env: { DATABASE_URL: wire.url } });
    onTestFinished(async () => {
      // A graceful stop would wait for statements on the silent connections.
      await stack.service(name).kill9();
      await stack.service(name).restart();
    });
    return wire;
  };
  const wires = await Promise.all(names.map(behindWire));
  await traffic.flow(80);
  const flowing = traffic.flow(80);
  for (const wire of wires) expect(wire.silence()).toBeGreaterThan(0);
  return { traffic, flowing };
}

test("the bank door recovers while its connections to PostgreSQL are silent, and nothing is lost", async () => {
  const { traffic, flowing } = await silenced("accounts");
  const [{ accountNumber = "" } = {}] = traffic.customers;
  const transfer = aBankTransfer({ account_number: accountNumber, amount: 12.34 });
  const report = () => reportTransfer(stack.bankDoor, transfer).then(({ status }) => status === 200);
  await until("the door answers with 200", report, BANK_WAITS_MS);
  traffic.acknowledged.set(transfer.id, transfer);
  await flowing;
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
});

test("ledger, payments and webhooks continue without help when the connections of all of them to PostgreSQL go silent", async () => {
  const { traffic, flowing } = await silenced("ledger", "payments", "webhooks");
  await flowing;
  await proveNothingLost(stack, traffic);
});
