import { openWire } from "@collect/servers";
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

const PATH = ["accounts", "ledger", "payments", "webhooks"] as const;

/** Long before the operating system, and before the broker, detects that the other end is gone. */
const WITHIN_MS = 60_000;

test("silent connections to the broker are closed, and processing continues without help", async () => {
  const traffic = await openTraffic(stack);
  const proxies = await Promise.all(PATH.map(() => openWire(stack.natsUrl)));
  await Promise.all(
    PATH.map((name, index) => stack.service(name).restart({ env: { NATS_URL: proxies[index]?.url ?? "" } })),
  );
  await traffic.flow(30);
  for (const proxy of proxies) expect(proxy.silence()).toBe(1);
  await traffic.flow(60);
  await until("nothing is unfinished", async () => (await unfinished(traffic)) === 0, WITHIN_MS);
  // NATS 2.9 counts its own sends as a sign of life, and so keeps routing requests to connections without a reader: see
  // docs/operations.md. The following steps need responses, so the connections are closed here.
  for (const proxy of proxies) await proxy.close();
  await Promise.all(PATH.map((name) => stack.service(name).restart()));
  await proveNothingLost(stack, traffic);
}, 180_000);

async function unfinished({ acknowledged }: Traffic): Promise<number> {
  const { rows } = await stack
    .database("accounts")
    .query("select count(*) from inbound_transfers where completed_at is null and bank_transfer_id = any($1)", [
      [...acknowledged.keys()],
    ]);
  return Number(rows[0].count);
}
