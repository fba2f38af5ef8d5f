import { transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { postBatch } from "../src/store/post-batch.ts";
import { aCollection, faultsOf, useLedgerWorld } from "./ledger.ts";

const world = await useLedgerWorld();

/** The expected ledger after one run, with keys and merchants that no other run uses. */
type Model = { posted: Map<string, ReturnType<typeof aCollection>> };
type Real = { run: string };
type Command = fc.AsyncCommand<Model, Real>;
type Item = { key: number; shard: number };

const post = (batch: ReturnType<typeof aCollection>[]) => transaction(world.pool, (tx) => postBatch(tx, batch));
/** Few keys and fewer merchants: repeats within a batch, across concurrent and later batches, and merchants that are new in several batches at once. */
const collectionOf = (run: string, { key, shard }: Item) =>
  aCollection({
    intakeId: `${run}_${key}`,
    merchant: `${run}_${key % 7}`,
    amount: BigInt(key * 137 + 1),
    shard: shard,
  });

const postAtOnce = (batches: Item[][]): Command => ({
  check: () => true,
  async run(model, { run }) {
    const given = batches.map((batch) => batch.map((item) => collectionOf(run, item)));
    const answers = await Promise.all(given.map(post));
    const rows = answers.flat().map(({ key, id, fee, postedAt }) => [key, `${id} ${fee} ${postedAt}`] as const);
    expect(new Set(rows.map(([, row]) => row)).size).toBe(new Map(rows).size);
    for (const collection of given.flat()) model.posted.set(collection.key, collection);
    await agrees(model, run);
  },
  toString: () => `postAtOnce(${JSON.stringify(batches)})`,
});

const postTakenKeyBesideFresh = (): Command => ({
  check: ({ posted }) => posted.size > 0,
  async run(model, { run }) {
    const [taken] = model.posted.values();
    if (!taken) return;
    const batch = [aCollection({ merchant: `${run}_0` }), { ...taken, amount: taken.amount + 1n }];
    await expect(post(batch)).rejects.toThrow("is already recorded with another");
    await agrees(model, run);
  },
  toString: () => "postTakenKeyBesideFresh",
});

async function agrees({ posted }: Model, run: string): Promise<void> {
  expect(await faultsOf(world.owner)).toEqual([]);
  const { rows: transactions } = await world.owner.query(
    "select key, amount from transactions where starts_with(merchant_id, $1) order by key",
    [run],
  );
  const expected = [...posted.values()].map(({ key, amount }) => ({ key, amount }));
  expect(transactions).toEqual(expected.sort((a, b) => (a.key < b.key ? -1 : 1)));
  const { rows: accounts } = await world.owner.query(
    "select merchant_id, -balance as balance, version from ledger_accounts where starts_with(merchant_id, $1)",
    [run],
  );
  const held = new Map<string, { balance: bigint; version: bigint }>();
  for (const { merchantId, amount, fee } of posted.values()) {
    const before = held.get(merchantId ?? "") ?? { balance: 0n, version: 0n };
    held.set(merchantId ?? "", { balance: before.balance + amount - fee, version: before.version + 1n });
  }
  expect(new Map(accounts.map(({ merchant_id, ...rest }) => [merchant_id, rest]))).toEqual(held);
}

test("for all batches, concurrent, repeated or refused, the ledger records each key once and its sums and chains are intact", async () => {
  const item = fc.record({ key: fc.nat({ max: 40 }), shard: fc.nat({ max: 1 }) });
  const batches = fc.array(fc.array(item, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
  const commands = fc.commands([batches.map(postAtOnce), fc.constant(postTakenKeyBesideFresh())], { maxCommands: 12 });
  await fc.assert(
    fc.asyncProperty(commands, async (given) => {
      await fc.asyncModelRun(() => ({ model: { posted: new Map() }, real: { run: randomId("run") } }), given);
    }),
    { numRuns: 40 },
  );
});
