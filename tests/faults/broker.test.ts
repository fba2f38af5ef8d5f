import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic, type Traffic } from "./traffic.ts";
import { makeUnfinishedDue } from "./unfinished.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("NATS killed and restarted while transfers flow loses nothing", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(40);
  await traffic.flowUntil(stack.restartNats());
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
});

test("NATS losing its whole store while transfers flow and the services are running loses nothing", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(40);
  await traffic.flowUntil(stack.wipeNats());
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
});

test("the sweep republishes messages that the broker lost", async () => {
  const traffic = await openTraffic(stack);
  await stack.service("ledger").kill9();
  await traffic.flow(60);
  await stack.wipeNats();
  await stack.service("ledger").restart();
  expect(await unfinished(traffic)).toBeGreaterThan(0);
  await until("nothing is unfinished", async () => {
    await makeUnfinishedDue(stack);
    return (await unfinished(traffic)) === 0;
  });
  await proveNothingLost(stack, traffic);
});

async function unfinished({ acknowledged }: Traffic): Promise<number> {
  const { rows } = await stack
    .database("accounts")
    .query("select count(*) from inbound_transfers where completed_at is null and bank_transfer_id = any($1)", [
      [...acknowledged.keys()],
    ]);
  return Number(rows[0].count);
}
