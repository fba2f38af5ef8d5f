import { getBankBalances } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { collect, useLedger } from "./ledger.ts";

const ledger = await useLedger();
const balances = async (...before: string[]) =>
  (await ledger.others.request(getBankBalances, { mode: "test", before })).balances;

test("what the ledger had on the bank at an instant is the sum of all shards, whatever was posted since", async () => {
  const merchant = randomId("mer");
  const times: string[] = [];
  for (const shard of [0, 1, 0, 2, 1]) {
    await collect(ledger.pool, [{ merchant, amount: 1_000n, shard }]);
    await ledger.owner.query("select pg_sleep(0.002)");
    times.push((await ledger.owner.query("select clock_timestamp() as at")).rows[0].at);
    await ledger.owner.query("select pg_sleep(0.002)");
  }
  expect(await balances(...times, "2099-01-01T00:00:00.000+00:00")).toEqual([
    "1000",
    "2000",
    "3000",
    "4000",
    "5000",
    "5000",
  ]);
  expect(await balances("2020-01-01T00:00:00.000+00:00", times[2] ?? "")).toEqual(["0", "3000"]);
});

test("the other mode's money is not counted", async () => {
  const { balances } = await ledger.others.request(getBankBalances, {
    mode: "live",
    before: ["2099-01-01T00:00:00+00:00"],
  });
  expect(balances).toEqual(["0"]);
});

test("it says how the self-audit stands: what was found, and since when all of it is proven", async () => {
  const standing = async () =>
    (await ledger.others.request(getBankBalances, { mode: "live", before: ["2026-10-01T23:00:00.000+00:00"] })).audit;
  const at = "2026-10-02T08:00:00.000+00:00";
  const set = (sums: string | null, recent: string | null, differences: object[]) =>
    ledger.owner.query(
      "update audit_progress set proven_at = $1, sums_at = $2, recent_at = $3, last_differences = $4, modes = '[]'",
      ["2026-10-03T08:00:00Z", sums, recent, JSON.stringify(differences)],
    );
  await set(null, at, []);
  expect(await standing()).toEqual({ proven_at: null, differences: [] });
  const broken = { what: "the chain of versions and balances is broken", where: "entry live:bank:0 version 7" };
  await set("2026-10-02T09:00:00Z", at, [broken]);
  const { proven_at = null, differences } = (await standing()) ?? {};
  expect([new Date(proven_at ?? 0), differences]).toEqual([new Date(at), [broken]]);
});
