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

const LOCKED = [
  // A merchant's ledger account, and a merchant's counter.
  ["ledger", "select 1 from ledger_accounts where id = 'live:collected:' || $1 for update"],
  ["webhooks", "select 1 from counters where merchant_id = $1 and mode = 'live' for update"],
] as const;

test("while ledger and webhooks each have a merchant locked, others' transfers are processed, and afterwards theirs", async () => {
  const traffic = await openTraffic(stack, { merchants: 2 + 4 });
  await traffic.flow(60);
  await untilRecorded(traffic);
  const merchants = traffic.customers.map(({ merchant }) => merchant.id);
  const [blocked, others] = [merchants.slice(0, LOCKED.length), merchants.slice(LOCKED.length)];
  const releases = await Promise.all(
    LOCKED.map(([service, sql], index) => lockRows(stack.databaseUrl(service), sql, blocked[index] ?? "")),
  );
  await traffic.flow(120);
  const isProcessed = async (merchantId: string) =>
    (await recorded(stack, merchantId)) === acknowledgedFor(traffic, merchantId);
  for (const merchantId of others) await until(`${merchantId} is processed`, () => isProcessed(merchantId));
  for (const merchantId of blocked)
    expect(await recorded(stack, merchantId)).toBeLessThan(acknowledgedFor(traffic, merchantId));
  for (const release of releases) await release();
  await until(
    "the sweep has republished the merchants' transfers",
    async () => {
      // They may still be set aside for a moment.
      await makeUnfinishedDue(stack);
      return (await Promise.all(blocked.map(isProcessed))).every(Boolean);
    },
    90_000,
  );
  await proveNothingLost(stack, traffic);
}, 180_000);

/** Waits until every row to be locked exists, and no earlier transfer is in progress. */
async function untilRecorded(traffic: Traffic): Promise<void> {
  for (const { merchant } of traffic.customers)
    await until(
      "it has its events",
      async () => (await recorded(stack, merchant.id)) === acknowledgedFor(traffic, merchant.id),
    );
}
