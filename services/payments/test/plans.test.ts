import { BY_KEYS, createPool, type Pool, transaction } from "@collect/database";
import { openWorld, type World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCandidates } from "../src/store/candidates.ts";
import { pageOfDue, releaseLapsedSlots } from "../src/store/due-sessions.ts";
import { type NewSession, releaseSlots, takeOverSlot, tryToOpen } from "../src/store/opening.ts";
import { findPayable } from "../src/store/payable-sessions.ts";
import { findPaymentOf, lockSessions, readSessionsOf } from "../src/store/sessions.ts";
import { aSession } from "./a-session.ts";
import { directory } from "./sessions-world.ts";

let world: World;
let pool: Pool;

beforeAll(async () => {
  world = await openWorld({ service: "payments", directory });
  const { database, log } = world;
  pool = createPool({ url: database.service, service: "payments", log, max: 1, settings: BY_KEYS });
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

const merchant = { id: "mer_1", mode: "test" as const };
const [accountNumber, amountRequested, mode] = ["9000000001", 100_000n, "test" as const];
const receivedAt = new Date().toISOString();
const account = { accountNumber, accountName: "Ada Stores / Ada Obi", bankName: "Test Bank" };
const aDraft = (given: Partial<NewSession>): NewSession => ({
  ...aSession({ amountRequested, reference: `pay_${Math.random()}`, merchantReference: "order-1" }),
  account: undefined,
  amountLimit: 500_000_000n,
  expiryS: 1_800,
  watchS: 7_200,
  start: 0,
  ...given,
});

/** Everything that looks sessions up, by its name. */
const LOOK_UPS: Record<string, () => Promise<unknown>> = {
  "opening in the pool": () => tryToOpen(pool, aDraft({})),
  "opening for a customer": () =>
    tryToOpen(pool, aDraft({ customerReference: "cust_1", detailsRequired: false, account })),
  "giving up slots": () => releaseSlots(pool, { mode, accounts: [accountNumber], amountRequested }),
  "taking over": () => takeOverSlot(pool, { mode, accountNumber, amountRequested }),
  matching: () =>
    findCandidates(pool, [{ intakeId: "int_1", merchant, accountNumber, customer: {}, amount: 100_001n, receivedAt }]),
  reading: () => findPaymentOf(pool, merchant, "pay_7"),
  "reading many": () => readSessionsOf(pool, ["pay_7", "pay_8"]),
  locking: () => transaction(pool, (tx) => lockSessions(tx, ["pay_7", "pay_8"])),
  "finding by reference": () => findPayable(pool, merchant, { reference: "pay_7" }),
  "finding by account": () => findPayable(pool, merchant, { account_number: accountNumber, to_expire: true }),
  "finding by amount": () => findPayable(pool, merchant, { amount: 100_001n }),
  "looking for what is due": () => pageOfDue(pool, { graceMs: 0, after: undefined, pageMax: 500 }),
  "sweeping slots": () => releaseLapsedSlots(pool, 500),
};

/** Entries of indexes and rows of the table that were read so far. */
async function readSoFar(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await world.owner.query<{ read: number }>(
    `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'sessions')::integer
       + (select seq_tup_read from pg_stat_user_tables where relname = 'sessions')::integer as read`,
  );
  return rows[0]?.read ?? 0;
}

test("plans that were made while the table was empty read few of its rows when it is full", async () => {
  for (const lookUp of Object.values(LOOK_UPS)) await lookUp();
  await world.owner.query("delete from sessions");
  // 30,000 sessions of one mode and one merchant on 300 accounts, each of another amount of its account.
  await world.owner.query(`
    insert into sessions (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, amount, amount_requested,
      account_number, account_name, bank_name, is_customer_account, customer_reference, details_required, created_at, expires_at,
      watch_until)
    select 'pay_' || n, 'mer_1', 'test', 'Ada Stores', 'known-' || n, 'secret_key', 100000 + n / 300 % 99 + 1, 100000,
      (9000000000 + n % 300)::text, 'Ada Stores', 'Test Bank', true, 'cust_' || n % 300, false, now() - n * interval '1 second',
      now() + interval '1 hour', now() + interval '2 hours'
    from generate_series(1, 29700) n`);
  await world.owner.query(
    "insert into collection_accounts values ('mer_1', 'test', 1, '9000000002', 'Ada Stores', 'Test Bank')",
  );
  for (const [name, lookUp] of Object.entries(LOOK_UPS)) {
    const before = await readSoFar();
    await lookUp();
    expect((await readSoFar()) - before, name).toBeLessThan(600);
  }
});
