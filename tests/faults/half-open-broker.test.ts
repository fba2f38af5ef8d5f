import { openWire } from "@collect/servers";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

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
  const isComplete = async () => {
    const { rows } = await stack
      .database("accounts")
      .query("select 1 from inbound_transfers where completed_at is null limit 1");
    return rows.length === 0;
  };
  await until("every intake row is complete", isComplete, WITHIN_MS);
  // NATS 2.9 counts its own sends as a sign of life, and so keeps routing requests to connections without a reader: see
  // docs/operations.md. The following steps need responses, so the connections are closed here.
  for (const proxy of proxies) await proxy.close();
  await Promise.all(PATH.map((name) => stack.service(name).restart()));
  await proveNothingLost(stack, traffic);
}, 180_000);
