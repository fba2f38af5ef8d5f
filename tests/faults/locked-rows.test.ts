import { until } from "@collect/testing";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic, type Traffic } from "./traffic.ts";
import { makeUnfinishedDue } from "./unfinished.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** Somebody's session holds rows of one merchant, and does not end. */
async function hold(address: string, sql: string, merchantId: string): Promise<() => Promise<void>> {
  const session = new pg.Client({ connectionString: address });
  await session.connect();
  const release = async () => session.end();
  onTestFinished(() => release().catch(() => {}));
  await session.query("begin");
  const { rowCount } = await session.query(sql, [merchantId]);
  expect(rowCount).toBeGreaterThan(0);
  return release;
}

/** How many of a merchant's transfers have their event. */
async function recorded(of: Stack, merchantId: string): Promise<number> {
  const { rows } = await of
    .database("webhooks")
    .query("select count(*)::int from events where merchant_id = $1 and mode = 'live'", [merchantId]);
  return rows[0].count;
}

const answeredFor = ({ answered, customers }: Traffic, merchantId: string): number => {
  const numbers = customers
    .filter(({ merchant }) => merchant.id === merchantId)
    .map(({ accountNumber }) => accountNumber);
  return [...answered.values()].filter(({ account_number }) => numbers.includes(account_number)).length;
};

test.each([
  [
    "ledger",
    "a merchant's ledger account",
    "select 1 from ledger_accounts where id = 'live:collected:' || $1 for update",
  ],
  ["webhooks", "a merchant's counter", "select 1 from counters where merchant_id = $1 and mode = 'live' for update"],
] as const)(
  "while %s has %s locked, the money of everybody else goes on; afterwards the merchant's does",
  async (service, _what, sql) => {
    const traffic = await openTraffic(stack, { merchants: 6 });
    await traffic.flow(60);
    await redriven(traffic);
    const [blocked, ...others] = traffic.customers.map(({ merchant }) => merchant.id);
    const release = await hold(stack.databaseUrl(service), sql, blocked ?? "");
    await traffic.flow(120);
    for (const merchantId of others)
      await until(
        `${merchantId} goes on`,
        async () => (await recorded(stack, merchantId)) === answeredFor(traffic, merchantId),
      );
    expect(await recorded(stack, blocked ?? "")).toBeLessThan(answeredFor(traffic, blocked ?? ""));
    await release();
    await until(
      "the sweep has sent the merchant's round again",
      async () => {
        // The merchant may still be set aside for a moment.
        await makeUnfinishedDue(stack);
        return (await recorded(stack, blocked ?? "")) === answeredFor(traffic, blocked ?? "");
      },
      90_000,
    );
    await proveNothingLost(stack, traffic);
  },
  180_000,
);

/** Every row that is to be locked is there, and nothing of what came before is under way. */
async function redriven(traffic: Traffic): Promise<void> {
  for (const { merchant } of traffic.customers)
    await until(
      "it has its events",
      async () => (await recorded(stack, merchant.id)) === answeredFor(traffic, merchant.id),
    );
}
