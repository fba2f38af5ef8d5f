import { transaction } from "@collect/database";
import { countRowsRead, usePlans } from "@collect/testing";
import { expect, test } from "vitest";
import { walkEntries, walkLedgerAccounts, walkSettlements, walkTransactions } from "../src/store/audit.ts";
import { proveRecent } from "../src/store/audit-transactions.ts";
import { bankBalancesBefore } from "../src/store/bank-balances.ts";
import { POSTING_SETTINGS } from "../src/store/post-batch.ts";
import { postedMinutes, received } from "../src/store/received-minutes.ts";
import { pageOfBookings, readBookings } from "../src/store/transfer-bookings.ts";
import { useLedgerWorld } from "./ledger.ts";

/** Collections, one per millisecond: enough to distinguish a range scan from a full walk. */
const ROWS = 60_000;
const MERCHANTS = 100;
const CHUNK = 500;
/** A chunk, the lookups of its three entries and their predecessors, and the other rows in the BRIN range. */
const READ_MAX = 10_000;

const world = await useLedgerWorld();
const pool = usePlans(world, { service: "ledger", settings: POSTING_SETTINGS });

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms).toISOString().replace("Z", "+00:00");
const span = { from: at(ROWS / 2), to: at(ROWS / 2 + CHUNK) };
const middle = {
  account_id: "live:collected:mer_50",
  account_version: 100n,
  transaction_id: BigInt(ROWS / 2),
  ledger_account_id: "live:collected:mer_50",
  settlement: "stl_5",
};

/** All reads of an audit round, by name. */
const READS: Record<string, () => Promise<unknown>> = {
  "the minutes of a window": () => received.minutes(pool, { ...span, unit: "second" }),
  "the rows of a window": () => received.rows(pool, { ...span, limit: 2_000 }),
  "what was posted last": () => transaction(pool, (tx) => proveRecent(tx, BigInt(ROWS - CHUNK), CHUNK)),
  "the minutes of what was posted last": () => postedMinutes(pool, String(ROWS - CHUNK)),
  "a chunk of entries": () => transaction(pool, (tx) => walkEntries(tx, middle, CHUNK)),
  "a chunk of transactions": () => transaction(pool, (tx) => walkTransactions(tx, middle, CHUNK)),
  "a chunk of ledger accounts": () => transaction(pool, (tx) => walkLedgerAccounts(tx, middle, CHUNK)),
  "a chunk of settlements": () => transaction(pool, (tx) => walkSettlements(tx, middle, CHUNK)),
  "bookings of transfers": () => readBookings(pool, ["trf_1", "trf_2"]),
  "a page of bookings": () => pageOfBookings(pool, "trf_5"),
};

async function fill(): Promise<void> {
  const tables = ["transactions", "entries", "ledger_accounts", "settlements", "transfer_reserves"];
  await world.owner.query(
    [
      ...tables.map((table) => `alter table ${table} disable trigger user`),
      `insert into transactions (key, kind, mode, merchant_id, amount, fee, fee_basis_points, occurred_at, posted_at, received_at)
       select 'int_' || n, 'collection', 'live', 'mer_' || n % ${MERCHANTS}, 1000, 10, 100, at, at, at
       from generate_series(1, ${ROWS}) as n, lateral (select timestamptz '${at(0)}' + n * interval '1 millisecond' as at)`,
      `insert into entries (account_id, account_version, amount, balance_after, transaction_id)
       select 'live:bank:0', id, 1000, id * 1000, id from transactions
       union all select 'live:fees:0', id, -10, id * -10, id from transactions
       union all select 'live:collected:' || merchant_id, (id - 1) / ${MERCHANTS} + 1, -990, ((id - 1) / ${MERCHANTS} + 1) * -990, id from transactions`,
      `insert into ledger_accounts (id, kind, mode, merchant_id, stripe, balance, version)
       select distinct on (account_id) account_id, split_part(account_id, ':', 2), 'live',
         case when account_id like '%:collected:%' then split_part(account_id, ':', 3) end,
         case when account_id not like '%:collected:%' then 0 end, balance_after, account_version
       from entries order by account_id, account_version desc`,
      `insert into transfer_reserves (transfer_id, merchant_id, mode, amount, reserved)
       select 'trf_' || n, 'mer_1', 'live', 100, true from generate_series(1, 20000) as n`,
      `insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id)
       select 'stl_' || n, 'mer_' || n, 'live', now() - n * interval '1 second', n, n + 1, n + 2, 100, n from generate_series(1, 20000) as n`,
      ...tables.map((table) => `alter table ${table} enable trigger user`),
    ].join("; "),
  );
  await world.owner.query("vacuum analyze transactions");
}

test("plans made while the ledger was empty read only the rows of their range when it is full", async () => {
  for (const read of Object.values(READS)) await read();
  await fill();
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, READS)) {
    expect(rows, name).toBeLessThan(READ_MAX);
    expect(rows, name).toBeGreaterThan(0);
  }
});

test("the walks of the full ledger find no differences: this test's data is correct where it is complete", async () => {
  const found = await transaction(pool, (tx) => walkTransactions(tx, middle, CHUNK));
  expect(found).toMatchObject({ proven: CHUNK, differences: [] });
});

test("what the bank is compared with is found by its index and by binary search, however much there is", async () => {
  // Some were posted on another day than they count on.
  await world.owner.query(
    [
      "alter table transactions disable trigger user",
      "update transactions set received_at = posted_at - interval '1 day' where id <= 50",
      "alter table transactions enable trigger user",
    ].join("; "),
  );
  await world.owner.query("vacuum analyze transactions, entries, ledger_accounts");
  const lists = usePlans(world, { service: "ledger", settings: [] });
  const reads = { "the balances of a day": () => bankBalancesBefore(lists, "live", [at(ROWS / 2), at(ROWS)]) };
  for (const [name, rows] of await countRowsRead({ pool: lists, owner: world.owner }, reads)) {
    expect(rows, name).toBeLessThan(CHUNK);
    expect(rows, name).toBeGreaterThan(50);
  }
});
