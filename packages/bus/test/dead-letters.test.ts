import { storeDeadLetter } from "@collect/database";
import { beforeEach, expect, test } from "vitest";
import { answerDeadLetters } from "../src/consuming/dead-letter-requests.ts";
import { log, useBus } from "./world.ts";

const { world, bus } = await useBus("ledger");
const pools = { live: world.pool, test: world.pool };
const context = { requestId: "req_1", actor: { kind: "operator", name: "ada" } } as const;

/** As the operator's requests do it. */
const [, , requests] = answerDeadLetters(bus, { service: "ledger", pools, log, consumers: [] });
const discard = async (selection: object) => requests?.answer(selection, context);
const keys = async () =>
  (await world.pool.query("select natural_key from dead_letters order by 1")).rows.map(
    ({ natural_key }) => natural_key,
  );

beforeEach(async () => {
  await world.pool.query("delete from dead_letters");
  const letter = { consumer: "ledger_1", subject: "s", fact: "[]", error: "e" };
  for (const natural_key of ["forged:a1", "forged:a2", "forged:b", "unreadable:a", "int_1"])
    await storeDeadLetter(world.pool, { ...letter, natural_key });
});

test("dead letters that are no facts are discarded by the beginning of their keys, if there are as many as expected", async () => {
  const refused = discard({ prefix: "forged:" });
  await expect(refused).rejects.toMatchObject({ code: "conflict", detail: expect.stringContaining("--count 3") });
  await expect(discard({ prefix: "forged:", count: 2 })).rejects.toMatchObject({ code: "conflict" });
  expect(await keys()).toHaveLength(5);
  expect(await discard({ prefix: "forged:a", count: 2 })).toEqual({ discarded: 2 });
  expect(await keys()).toEqual(["forged:b", "int_1", "unreadable:a"]);
  expect(await discard({ prefix: "forged:a", count: 2 })).toEqual({ discarded: 0 });
});

test("a fact is discarded neither by its key nor by a beginning that it shares", async () => {
  expect(await discard({ natural_key: "int_1" })).toEqual({ discarded: 0 });
  expect(await discard({ prefix: "int", count: 1 }).catch(({ code }) => code)).not.toEqual({ discarded: 1 });
  expect(await keys()).toContain("int_1");
  expect(await discard({ natural_key: "forged:b" })).toEqual({ discarded: 1 });
});

test("without a key and a prefix, or with both, nothing is discarded", async () => {
  for (const selection of [{}, { count: 5 }, { natural_key: "forged:b", prefix: "forged:" }])
    await expect(discard(selection)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await keys()).toHaveLength(5);
});
