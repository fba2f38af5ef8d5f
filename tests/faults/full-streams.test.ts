import { streamName } from "@collect/bus";
import { MODES } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic, type Traffic } from "./traffic.ts";
import { makeUnfinishedDue } from "./unfinished.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** Limits the size of a stream and returns its previous limit. */
async function limit(name: string, max_bytes: number): Promise<number> {
  const { config } = await stack.bus.manager.streams.info(name);
  await stack.bus.manager.streams.update(name, { ...config, max_bytes });
  return config.max_bytes;
}

const unfinished = async ({ acknowledged }: Traffic) => {
  const { rows } = await stack
    .database("accounts")
    .query(
      "select count(*)::int as count, coalesce(max(drives), 0)::int as drives from inbound_transfers where completed_at is null and bank_transfer_id = any($1)",
      [[...acknowledged.keys()]],
    );
  return rows[0] as { count: number; drives: number };
};

test("full test streams do not delay live money", async () => {
  const traffic = await openTraffic(stack);
  for (const service of ["accounts", "ledger", "payments", "webhooks"] as const)
    await limit(streamName(service, "test"), 1_024);
  await traffic.flow(60);
  await proveNothingLost(stack, traffic);
});

test("facts that a full stream refused are published automatically once it has space, and refusals do not count as attempts", async () => {
  const traffic = await openTraffic(stack);
  const name = streamName("accounts", "live");
  const before = await limit(name, 1_024);
  await traffic.flow(60);
  expect((await unfinished(traffic)).count).toBeGreaterThan(0);
  // The sweep publishes, and is refused.
  await until("the sweep was refused", async () => {
    await makeUnfinishedDue(stack);
    return stack.logs("accounts").includes('"part":"sweep.live"');
  });
  expect((await unfinished(traffic)).drives).toBe(0);
  await limit(name, before);
  await until("nothing is unfinished", async () => {
    await makeUnfinishedDue(stack);
    return (await unfinished(traffic)).count === 0;
  });
  await proveNothingLost(stack, traffic);
});

test("each mode of each publisher has its own stream, and no two share a subject", async () => {
  const streams = await stack.bus.manager.streams.list().next();
  for (const { config } of streams)
    for (const mode of MODES)
      if (config.name.endsWith(mode.toUpperCase()))
        for (const subject of config.subjects) expect(subject).toMatch(new RegExp(`\\.${mode}\\.\\*$`));
  expect(streams.length % MODES.length).toBe(0);
});
