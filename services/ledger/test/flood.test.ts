import { collectionPosted, getBalance, reserveTransfer, transferReceived } from "@collect/contracts";
import { createPool, transaction } from "@collect/database";
import { aMerchant, aTransfer, openWorld, randomId, recordFacts, startComponents, until } from "@collect/testing";
import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";
import { directory, fund, useLedger } from "./ledger.ts";

const ledger = await useLedger();

async function aFunded() {
  const merchant = aMerchant();
  await fund(ledger.pool, merchant.id);
  return merchant;
}
const reserve = (merchant: ReturnType<typeof aMerchant>) =>
  ledger.others.request(reserveTransfer, { transfer_id: randomId("trf"), merchant, amount: "1" });

/** In this database only: the server also runs other tests. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await ledger.pool.query(
    `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

/** Requests this many reserves of a merchant while another session holds its lock, does the work, and returns their responses. */
async function flooded(
  { merchant, transfers }: { merchant: ReturnType<typeof aMerchant>; transfers: number },
  work: (refused: unknown[]) => Promise<unknown>,
) {
  const refused: unknown[] = [];
  const answers = await transaction(ledger.owner, async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`test:settled:${merchant.id}`]);
    const responses = Array.from({ length: transfers }, () => reserve(merchant));
    for (const answer of responses) answer.catch((error) => refused.push(error));
    await until("a reserve waits for the lock", async () => {
      return (await waitingForLocks()) > 0;
    });
    await work(refused);
    return responses;
  });
  return Promise.allSettled(answers);
}

test("while fifty reserves of a merchant wait, another merchant's reserve and balance requests are answered", async () => {
  const [busy, other] = [await aFunded(), await aFunded()];
  const answers = await flooded({ merchant: busy, transfers: 50 }, async () => {
    expect(await reserve(other)).toEqual({ reserved: true });
    expect(await ledger.others.request(getBalance, { merchant: other })).toMatchObject({ settled: 98.99 });
    expect(await waitingForLocks()).toBe(1);
  });
  expect(answers).toEqual(answers.map(() => ({ status: "fulfilled", value: { reserved: true } })));
});

test("beyond a hundred queued transfers of a merchant, further ones are refused as retryable, without an alarm", async () => {
  const merchant = await aFunded();
  const answers = await flooded({ merchant, transfers: 130 }, (refused) =>
    until("some are refused", () => refused.length === 29),
  );
  const refused = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => reason);
  expect(refused).toMatchObject(refused.map(() => ({ code: "service_unavailable" })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(101);
  expect(ledger.alarms).toEqual([]);
  expect(await reserve(merchant)).toEqual({ reserved: true });
});

test("incoming money is posted while requests use every connection of their pool", async () => {
  const world = await openWorld({ service: "ledger", directory });
  const pool = createPool({ url: world.database.service, service: "ledger", log: world.log, max: 1 });
  const taken = await pool.connect();
  const { bus, log } = world;
  const requests = { live: pool, test: pool };
  const stop = await startComponents(
    createApp({ config: { LEDGER_SHARD: 0 }, pools: { ...world.pools, requests }, bus, log }),
  );
  try {
    const posted = await recordFacts(world.others, collectionPosted);
    await world.others.publish(transferReceived, [aTransfer()]);
    expect(await posted.count(1)).toHaveLength(1);
  } finally {
    taken.release();
    await stop();
    await pool.end();
    await world.close();
  }
});
