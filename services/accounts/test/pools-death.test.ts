import { fileURLToPath } from "node:url";
import { startServiceProcess, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { ENVIRONMENT } from "./dying.ts";
import { aLiveMerchant, issueTo } from "./partners-world.ts";
import { aPoolPartner, startPoolBank } from "./pool-bank.ts";
import { startAccounts, useAccountsWorld } from "./world.ts";

const world = await useAccountsWorld();
const bank = await startPoolBank();
afterAll(bank.stop);

const MAIN = fileURLToPath(new URL("pool-main.ts", import.meta.url));

/** The service as a process of its own that keeps this many accounts free, until it dies at the failpoint. */
function startDying(free: number, failpoint: string) {
  const pool = { POOL_LOW: String(free), POOL_HIGH: String(free), LOG_LEVEL: "info" };
  const env = { ...ENVIRONMENT, ...pool, FAILPOINT: failpoint };
  return startServiceProcess(world, "accounts", { main: MAIN, args: [bank.url], env });
}

/** A replica that lives, once the lease of the one that died has ended. */
async function startNext(free: number) {
  await world.owner.query("update pool_leases set lease_until = '-infinity'");
  const partner = aPoolPartner(bank.url);
  const partners = { all: [partner], standard: partner, own: undefined };
  return startAccounts(world, { partners, pooling: { everyMs: 20, pauseMs: 20, low: free, high: free } });
}

const rows = async (state: string) =>
  (await world.owner.query("select * from pooled_accounts where state = $1 order by created_at", [state])).rows;
const untilFree = (count: number) => until(`${count} are free`, async () => (await rows("free")).length === count);

test.each([
  ["once the opening is committed", "committed", 0],
  ["once the bank has opened the account", "posted", 1],
])("a process that dies %s leaves one opening that is not used", async (_case, failpoint, opened) => {
  const before = { opened: bank.opened, opening: (await rows("opening")).length, free: (await rows("free")).length };
  const dying = startDying(before.free + 1, failpoint);
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  expect(bank.opened - before.opened).toBe(opened);
  expect(await rows("opening")).toHaveLength(before.opening + 1);
  const { stop } = await startNext(before.free + 1);
  await untilFree(before.free + 1);
  expect(await rows("opening")).toHaveLength(before.opening + 1);
  await stop();
});

test.each([
  ["once an account is claimed for the customer", "committed", 0],
  ["once the bank has renamed it", "posted", 1],
])(
  "a customer gets one account from a process that dies %s and from the next one",
  async (_case, failpoint, renamed) => {
    const merchant = aLiveMerchant();
    const free = (await rows("free")).length;
    expect(free).toBeGreaterThan(0);
    const given = (await rows("given")).length;
    const before = bank.renamed;
    const dying = startDying(1, failpoint);
    await dying.ready;
    void issueTo(world, merchant, "cust_1").catch(() => {});
    expect(await dying.exited).toEqual([null, "SIGKILL"]);
    expect(bank.renamed - before).toBe(renamed);
    expect(await rows("given")).toHaveLength(given + 1);
    const claimed = (await rows("given")).at(-1);
    const { stop } = await startNext(1);
    const { account, created } = await issueTo(world, merchant, "cust_1");
    expect({ number: account.account_number, created }).toEqual({ number: claimed.account_number, created: true });
    expect(bank.accounts.get(account.account_number)).toBe("Acme Stores / Ada Obi");
    expect(await rows("given")).toHaveLength(given + 1);
    await stop();
  },
);
