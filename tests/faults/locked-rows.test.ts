import { until } from "@collect/testing";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic, type Traffic } from "./traffic.ts";
import { makeUnfinishedDue } from "./unfinished.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** Locks rows of one merchant in a transaction that does not end. */
async function lockRows(address: string, sql: string, merchantId: string): Promise<() => Promise<void>> {
  const session = new pg.Client({ connectionString: address });
  await session.connect();
  const release = async () => session.end();
  onTestFinished(() => release().catch(() => {}));
  await session.query("begin");
  const { rowCount } = await session.query(sql, [merchantId]);
  expect(rowCount).toBeGreaterThan(0);
  return release;
}

/** The number of a merchant's recorded events. */
async function recorded(of: Stack, merchantId: string): Promise<number> {
  const { rows } = await of
    .database("webhooks")
    .query("select count(*)::int from events where merchant_id = $1 and mode = 'live'", [merchantId]);
  return rows[0].count;
}

const acknowledgedFor = ({ acknowledged, customers }: Traffic, merchantId: string): number => {
  const numbers = customers
    .filter(({ merchant }) => merchant.id === merchantId)
    .map(({ accountNumber }) => accountNumber);
  return [...acknowledged.values()].filter(({ account_number }) => numbers.includes(account_number)).length;
};

test.each([
  [
    "ledger",
    "a merchant's ledger account",
    "select 1 from ledger_accounts where id = 'live:collected:' || $1 for update",
  ],
  ["webhooks", "a merchant's counter", "select 1 from counters where merchant_id = $1 and mode = 'live' for update"],
] as const)(
  "while %s has %s locked, other merchants' transfers are processed, and afterwards this merchant's",
  async (service, _what, sql) => {
    const traffic = await openTraffic(stack, { merchants: 6 });
    await traffic.flow(60);
    await untilRecorded(traffic);
    const [blocked, ...others] = traffic.customers.map(({ merchant }) => merchant.id);
    const release = await lockRows(stack.databaseUrl(service), sql, blocked ?? "");
    await traffic.flow(120);
    for (const merchantId of others)
      await until(
        `${merchantId} is processed`,
        async () => (await recorded(stack, merchantId)) === acknowledgedFor(traffic, merchantId),
      );
    expect(await recorded(stack, blocked ?? "")).toBeLessThan(acknowledgedFor(traffic, blocked ?? ""));
    await release();
    await until(
      "the sweep has republished the merchant's transfers",
      async () => {
        // The merchant may still be set aside for a moment.
        await makeUnfinishedDue(stack);
        return (await recorded(stack, blocked ?? "")) === acknowledgedFor(traffic, blocked ?? "");
      },
      90_000,
    );
    await proveNothingLost(stack, traffic);
  },
  180_000,
);

/** Waits until every row to be locked exists, and no earlier transfer is in progress. */
async function untilRecorded(traffic: Traffic): Promise<void> {
  for (const { merchant } of traffic.customers)
    await until(
      "it has its events",
      async () => (await recorded(stack, merchant.id)) === acknowledgedFor(traffic, merchant.id),
    );
}
