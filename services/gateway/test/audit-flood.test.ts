import { transaction } from "@collect/database";
import { randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { createChainQueue } from "../src/use-cases/chain-queue.ts";
import { aShop, call, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
await useOthers(world);

const order = (key: string, reference: string) =>
  call(gateway, "POST", "/transfers", {
    key,
    body: { amount: 100, bank_code: "058", account_number: "0123456789", reference },
  });

/** How many connections wait for the lock of a chain, in this database only: the server also runs other tests. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await world.owner.query(
    `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

/** Does the first work while another session holds the chain, and the second once a connection waits for it. */
const whileHeld = <Begun>(chain: string, begin: () => Begun, work: () => Promise<unknown>): Promise<{ begun: Begun }> =>
  transaction(world.owner, async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('audit ' || $1, 0))", [chain]);
    const begun = begin();
    await until("a connection waits for the lock", async () => (await waitingForLocks()) > 0);
    await work();
    return { begun };
  });

test.each(["sk_live", "sk_test"] as const)(
  "while a merchant's orders with %s wait for its audit log, those of another merchant are made",
  async (key) => {
    const [busy, other] = [await aShop(world), await aShop(world)];
    const flood = () => Promise.all(Array.from({ length: 20 }, (_, n) => order(busy[key], `trf-${n}`)));
    const { begun } = await whileHeld(busy.id, flood, async () => {
      expect((await order(other.sk_live, "trf-1")).status).toBe(201);
      expect((await order(other.sk_test, "trf-1")).status).toBe(201);
      expect(await waitingForLocks()).toBeLessThanOrEqual(1);
    });
    await begun;
    expect((await order(busy[key], "trf-20")).status).toBe(201);
  },
);

test("beyond a hundred that wait for a merchant's audit log calls are refused, and outcomes and operators are not", async () => {
  const [inChain, chain] = [createChainQueue(world.pool), randomId("mer")];
  const appended: number[] = [];
  const refused: unknown[] = [];
  const append = (n: number, options = {}) =>
    inChain(
      chain,
      async (tx) => {
        await tx.query("select pg_advisory_xact_lock(hashtextextended('audit ' || $1, 0))", [chain]);
        appended.push(n);
      },
      options,
    );
  const flood = () =>
    Promise.allSettled([
      ...Array.from({ length: 130 }, (_, n) => append(n).catch((error) => refused.push(error))),
      append(130, { isRefusable: false }),
    ]);
  const { begun } = await whileHeld(chain, flood, async () => {
    expect(await waitingForLocks()).toBe(1);
    expect(refused).toMatchObject(Array(29).fill({ code: "service_unavailable" }));
    expect(appended).toEqual([]);
  });
  await begun;
  expect(appended).toEqual([...Array(101).keys(), 130]);
});
