import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { addressOf, createPool, migrate, openLogin, provision, transaction } from "@collect/database";
import { collectionTransaction } from "@collect/ledger/src/domain/collection.ts";
import { POSTING_SETTINGS, postBatch } from "@collect/ledger/src/store/post-batch.ts";
import { createLogger } from "@collect/runtime";
import { aTransfer } from "@collect/testing";
import { stackLogin } from "../stack/plans.ts";

const BATCHES = [1, 20, 200] as const;
/** The number of merchants that the collections rotate over. */
export const SPREADS = { hot: 1, spread: 1_000 } as const;
export type Spread = keyof typeof SPREADS;
/** Collections a second on one hot merchant, and on a thousand. */
export type Rates = Record<Spread, number>;
export type PostingFigures = Record<`batch${(typeof BATCHES)[number]}`, Rates>;

/** Posts collections: `post` resolves with their number. */
export type Poster = { name: string; spread: Spread; post(): Promise<number>; close(): Promise<void> };

const PRISMA = join(import.meta.dirname, "../../services/ledger/prisma");

/** The ledger's own store: one batch after another on one connection, like its consumer. Each poster has its own database. */
export function openLedgers(admin: string): Promise<Poster[]> {
  const spreads = Object.keys(SPREADS) as Spread[];
  return sequentially(
    BATCHES.flatMap((batch) => spreads.map((spread) => ({ batch, spread }))),
    (kind) => openLedger(admin, kind),
  );
}

async function openLedger(admin: string, { batch, spread }: { batch: number; spread: Spread }): Promise<Poster> {
  const name = `batch${batch}`;
  const database = `ledger_${name}_${spread}`;
  const { owner } = await provision(admin, "ledger", { database });
  const login = stackLogin("ledger");
  await openLogin(admin, "ledger", login);
  await migrate({ url: owner, directory: PRISMA });
  const log = createLogger("bench", "silent");
  const pool = createPool({
    url: addressOf(admin, database, login),
    service: "bench",
    log,
    max: 1,
    settings: POSTING_SETTINGS,
  });
  let posted = 0;
  return {
    name,
    spread,
    async post() {
      const transactions = Array.from({ length: batch }, () => collection(posted++ % SPREADS[spread]));
      await transaction(pool, (tx) => postBatch(tx, transactions));
      return batch;
    },
    close: () => pool.end(),
  };
}

function collection(merchant: number) {
  const transfer = aTransfer({ intakeId: `int_${randomUUID()}`, merchant: { id: `mer_${merchant}`, mode: "live" } });
  return collectionTransaction({ transfer, feeBasisPoints: 100, shard: 0 });
}

export async function sequentially<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
