import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { peakMegabytes } from "../load/outage.ts";
import { type ProcessName, startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const TRANSFERS = 4_000;

/** The number of facts, including repeats, that a stage has handled since its start, according to its log. */
function handled(name: ProcessName, subject: string): number {
  const lines = stack.logs(name).split("\n");
  return lines.reduce((sum, line) => {
    if (!line.includes('"message":"batch"') && !line.includes('"msg":"batch"')) return sum;
    const { subject: of, facts } = JSON.parse(line);
    return of === subject ? sum + facts : sum;
  }, 0);
}

test("the backlog of a ledger outage is processed once by every stage, in bounded memory, and nothing is lost", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(20);
  await stack.service("ledger").kill9();
  await traffic.flow(TRANSFERS);
  await stack.service("ledger").restart();
  await traffic.flow(200);
  await until(
    "every intake row is complete",
    async () => {
      const { rows } = await stack
        .database("accounts")
        .query("select 1 from inbound_transfers where completed_at is null limit 1");
      return rows.length === 0;
    },
    60_000,
  );
  const all = traffic.acknowledged.size;
  // The sweep may have republished a few while they waited; an outage that amplifies itself would do everything many
  // times.
  expect(handled("ledger", "accounts.transfer.received.v1")).toBeLessThan(1.2 * all);
  expect(handled("payments", "ledger.collection.posted.v1")).toBeLessThan(1.2 * all);
  expect(handled("webhooks", "payments.collection.succeeded.v1")).toBeLessThan(1.2 * all);
  const peaks = peakMegabytes();
  for (const name of ["accounts", "ledger", "payments", "webhooks"])
    expect([name, peaks[name]]).toEqual([name, expect.any(Number)]);
  expect(Math.max(...["accounts", "ledger", "payments", "webhooks"].map((name) => peaks[name] ?? 0))).toBeLessThan(400);
  await proveNothingLost(stack, traffic);
});
