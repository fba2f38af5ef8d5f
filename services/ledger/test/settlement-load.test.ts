import { randomInt } from "node:crypto";
import { transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { NO_LIMITS } from "../src/domain/payout-limits.ts";
import type { Outcome } from "../src/domain/transfer.ts";
import { settle } from "../src/store/settlements.ts";
import { bookEnd, reserve } from "../src/store/transfers.ts";
import { collect, faultsOf, useLedgerWorld } from "./ledger.ts";

const world = await useLedgerWorld();

const oneOf = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;
/** Repeats the work until the other tasks have finished. */
async function during(others: Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
  let over = false;
  void others.finally(() => (over = true)).catch(() => {});
  while (!over) await work();
}
async function postBatches(merchants: string[], batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++)
    await collect(
      world.pool,
      Array.from({ length: 50 }, () => ({ merchant: oneOf(merchants), amount: BigInt(randomInt(100, 100_000)) })),
    );
}
/** A cut-off of now, one that has passed meanwhile, or the operator's. */
const someCutOff = () =>
  oneOf([null, new Date(), new Date(Date.now() - randomInt(200)), new Date(Date.now() - randomInt(20))]);
const settleSomebody = (merchants: string[]) =>
  transaction(world.pool, (tx) =>
    settle(tx, { merchant: { id: oneOf(merchants), mode: "test" }, cutOff: someCutOff() }),
  );

/** The settlements that differ from the plain sum over their entries. */
const SETTLEMENT_FAULTS = `
  with settlement as (
    select *, mode || ':collected:' || merchant_id as account_id,
      lag(to_version, 1, 0::bigint) over (partition by merchant_id, mode order by cut_off) as settled_before
    from settlements
  )
  select reference || ' leaves a gap or covers entries twice' as fault from settlement where from_version <> settled_before
  union all select reference || ' is not the sum of its entries' from settlement
    where amount <> (
      select -sum(entries.amount) from entries join transactions on id = transaction_id
      where entries.account_id = settlement.account_id and kind <> 'settlement'
        and account_version > from_version and account_version <= to_version)
  union all select reference || ' has another cut-off than its entries' from settlement
    where exists (
      select from entries where entries.account_id = settlement.account_id
        and ((account_version > from_version and account_version <= to_version and recorded_at >= cut_off)
          or (account_version > to_version and recorded_at < cut_off)))
  union all select reference || ' does not name its own entry' from settlement
    where not exists (
      select from entries where entries.account_id = settlement.account_id and account_version = entry_version
        and entries.transaction_id = settlement.transaction_id and entries.amount = settlement.amount)`;

test("settlements at random cut-offs under full posting load skip nothing and double nothing", async () => {
  const merchants = Array.from({ length: 3 }, () => randomId("mer"));
  const posting = Promise.all([postBatches(merchants, 60), postBatches(merchants, 60)]);
  await Promise.all([
    posting,
    during(posting, () => settleSomebody(merchants)),
    during(posting, () => settleSomebody(merchants)),
  ]);
  const { rows: faults } = await world.owner.query(SETTLEMENT_FAULTS);
  expect(faults).toEqual([]);
  const { rows: counted } = await world.owner.query("select count(*) > 20 as many from settlements");
  expect(counted).toEqual([{ many: true }]);

  for (const id of merchants)
    await transaction(world.pool, (tx) => settle(tx, { merchant: { id, mode: "test" }, cutOff: null }));
  const { rows } = await world.owner.query(
    `select merchant_id from ledger_accounts where merchant_id = any($1) group by merchant_id
     having sum(balance) filter (where kind = 'collected') <> 0
       or sum(-balance) filter (where kind = 'settled') is distinct from (
         select sum(amount - fee) from transactions where transactions.merchant_id = ledger_accounts.merchant_id and kind = 'collection')`,
    [merchants],
  );
  expect(rows).toEqual([]);
  expect((await world.owner.query(SETTLEMENT_FAULTS)).rows).toEqual([]);
  expect(await faultsOf(world.owner)).toEqual([]);
});

test("concurrent collections, settlements, reserves and outcomes neither deadlock nor lose a kobo", async () => {
  const merchants = Array.from({ length: 3 }, () => randomId("mer"));
  const posting = postBatches(merchants, 60);
  const context = { notifiedAt: new Date().toISOString() };
  const sendMoney = (shard: number) => async () => {
    const merchant = { id: oneOf(merchants), mode: "test" as const };
    const transfer = { transferId: randomId("trf"), merchant, amount: BigInt(randomInt(100, 50_000)) };
    const held = { shard, standardLimits: NO_LIMITS, ...context };
    const { reserved } = await transaction(world.pool, (tx) => reserve(tx, transfer, held));
    if (!reserved) return;
    const outcomes = Array.from({ length: 3 }, () => oneOf<Outcome>(["success", "failed", "reversed"]));
    await Promise.all(
      outcomes.map((outcome) => transaction(world.pool, (tx) => bookEnd(tx, transfer, outcome, { shard, ...context }))),
    );
  };
  await Promise.all([
    posting,
    during(posting, () => settleSomebody(merchants)),
    during(posting, sendMoney(0)),
    during(posting, sendMoney(1)),
  ]);
  expect(await faultsOf(world.owner)).toEqual([]);
  expect((await world.owner.query(SETTLEMENT_FAULTS)).rows).toEqual([]);
  // Every transfer has an end, so nothing is reserved; a payout from the bank is balanced by a merchant's Settled or by suspense.
  const { rows } = await world.owner.query(`
    select (select coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'payouts') as held,
      (select count(*) > 20 from transfer_ends) as many,
      (select sum(amount)::bigint from transactions where kind = 'collection') as received,
      (select sum(balance)::bigint from ledger_accounts where kind = 'bank')
        + (select coalesce(sum(case kind when 'payout' then amount when 'late_payout' then amount else -amount end), 0)::bigint
           from transactions where kind in ('payout', 'late_payout', 'reversal', 'late_reversal')) as accounted`);
  expect(rows).toMatchObject([{ held: 0n, many: true, accounted: rows[0].received }]);
});
