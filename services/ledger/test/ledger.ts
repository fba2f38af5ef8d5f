import { fileURLToPath } from "node:url";
import { type Pool, transaction } from "@collect/database";
import { aTransfer, openWorld, randomId, startComponents, useWorld, type World } from "@collect/testing";
import { afterAll } from "vitest";
import { createApp, type Deps } from "../src/app.ts";
import { collectionTransaction } from "../src/domain/collection.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { settle } from "../src/store/settlements.ts";

export const directory = fileURLToPath(new URL("../prisma", import.meta.url));

/** A test ledger; `alarms` collects the lines logged as errors. */
type Ledger = World & { alarms: object[] };

/** The ledger alone, on its own database and broker; `replicas` of it share the work. */
export async function openLedger({ replicas = 1, ...workers }: Workers & { replicas?: number } = {}): Promise<Ledger> {
  const world = await openWorld({ service: "ledger", directory });
  const alarms: object[] = [];
  const log = { ...quiet, error: (fields: object) => void alarms.push(fields) };
  const { pools, bus } = world;
  const stops = await Promise.all(
    Array.from({ length: replicas }, (_, shard) =>
      startComponents(createApp({ config: { LEDGER_SHARD: shard }, pools, bus, log, ...workers })),
    ),
  );
  return {
    ...world,
    alarms,
    async close() {
      for (const stop of stops) await stop();
      await world.close();
    },
  };
}

/** A world for tests that call the store directly, for the whole test file. */
export const useLedgerWorld = () => useWorld({ service: "ledger", directory });

/** One ledger for the whole test file. */
export async function useLedger(given: Parameters<typeof openLedger>[0] = {}): Promise<Ledger> {
  const ledger = await openLedger(given);
  afterAll(ledger.close);
  return ledger;
}

type Workers = Pick<Deps, "settling" | "auditing">;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Posts collections in one batch. */
export function collect(pool: Pool, collections: Parameters<typeof aCollection>[0][]) {
  return transaction(pool, (tx) => postBatch(tx, collections.map(aCollection)));
}

/** Gives each of these merchants 9,900 kobo in Settled, in test mode. */
export async function fund(pool: Pool, ...merchants: string[]): Promise<void> {
  await collect(
    pool,
    merchants.map((merchant) => ({ merchant, amount: 10_000n })),
  );
  for (const id of merchants)
    await transaction(pool, (tx) => settle(tx, { merchant: { id, mode: "test" }, cutOff: null }));
}

/** Moves the collections of these merchants in test mode this many days into the past. */
export async function backdate(owner: Pool, days: number, ...merchants: { id: string }[]): Promise<void> {
  await transaction(owner, async (tx) => {
    await tx.query("set local session_replication_role = replica");
    await tx.query(
      "update entries set recorded_at = recorded_at - make_interval(days => $1) where account_id = any($2::text[])",
      [days, merchants.map(({ id }) => `test:collected:${id}`)],
    );
  });
}

/** The versions and amount of each settlement of a merchant, the oldest first. */
export async function settlementsOf(owner: Pool, { id }: { id: string }): Promise<number[][]> {
  const { rows } = await owner.query(
    "select from_version, to_version, entry_version, amount from settlements where merchant_id = $1 order by cut_off",
    [id],
  );
  return rows.map(({ from_version, to_version, entry_version, amount }) =>
    [from_version, to_version, entry_version, amount].map(Number),
  );
}

/** The balances of these ledger accounts; zero for those that do not exist. */
export async function balancesOf(pool: Pool, ...ids: string[]): Promise<bigint[]> {
  const { rows } = await pool.query(
    `select coalesce(balance, 0) as balance from unnest($1::text[]) with ordinality as requested (account, n)
     left join ledger_accounts on id = account order by n`,
    [ids],
  );
  return rows.map(({ balance }) => balance);
}

/** A collection ready to be posted, in test mode, at one percent. */
export function aCollection(given: {
  merchant: string;
  intakeId?: string;
  amount?: bigint;
  receivedAt?: string;
  shard?: number;
}) {
  const { merchant, intakeId = randomId("int"), amount = 1_000n, receivedAt, shard = 0 } = given;
  const transfer = aTransfer({
    intakeId,
    merchant: { id: merchant, mode: "test" },
    amount,
    ...(receivedAt && { receivedAt }),
  });
  return collectionTransaction({ transfer, feeBasisPoints: 100, shard });
}

/** Violations of the invariants of every ledger. */
export async function faultsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(`
    with chain as (
      select *, lag(balance_after, 1, 0::bigint) over versions as before, lag(account_version, 1, 0::bigint) over versions as previous,
        lag(recorded_at) over versions as recorded_before
      from entries window versions as (partition by account_id order by account_version)
    )
    select 'the entries of ' || mode || ' do not sum to zero' as fault
      from entries join transactions on id = transaction_id group by mode having sum(entries.amount) <> 0
    union all select key || ' does not balance'
      from transactions left join entries on transaction_id = id group by id having sum(entries.amount) is distinct from 0 or count(*) < 2
    union all select account_id || ' has a broken chain at version ' || account_version
      from chain where account_version <> previous + 1 or balance_after <> before + amount or recorded_at < recorded_before
    union all select ledger_accounts.id || ' is not the sum of its entries'
      from ledger_accounts left join entries on account_id = ledger_accounts.id
      group by ledger_accounts.id having (balance, version) is distinct from (sum(amount)::bigint, count(account_id))
    union all select 'transaction ' || transaction_id || ' is missing'
      from entries left join transactions on id = transaction_id where id is null`);
  return rows.map(({ fault }) => fault);
}
