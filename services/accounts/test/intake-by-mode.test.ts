import { randomUUID } from "node:crypto";
import { type Mode, transferUnallocated } from "@collect/contracts";
import { createPool, type Pool } from "@collect/database";
import { openWire } from "@collect/servers";
import { connectAs, recordFacts, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { createIntake } from "../src/use-cases/intake.ts";
import { useAccountsWorld } from "./world.ts";

const world = await useAccountsWorld();

function connect(url: string, max: number): Pool {
  const pool = createPool({
    url,
    service: "accounts",
    log: world.log,
    max,
    limits: { statementMs: 2_000, lockMs: 500 },
  });
  onTestFinished(() => pool.end());
  return pool;
}

const takeReversal = () => Promise.reject(new Error("this test expects no reversal"));

function intakeOn(pools: { live: Pool; test: Pool }, bus = world.bus, log = world.log) {
  const intake = createIntake({ pools, bus, log, ownBank: "729", intakeKey: "k".repeat(32), takeReversal });
  return (mode: Mode) =>
    intake.accept({
      bank: "729",
      mode,
      type: "credit",
      bankTransferId: randomUUID(),
      accountNumber: "0000000017",
      amount: 250_073n,
      currency: "NGN",
      payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
      narration: null,
      paidAt: "2026-11-21T09:30:00.000+00:00",
    });
}

test("live transfers are accepted while all test transfers wait for a connection", async () => {
  const ofTest = connect(world.database.service, 1);
  const taken = await ofTest.connect();
  const accept = intakeOn({ live: connect(world.database.service, 2), test: ofTest });
  let answered = 0;
  const flood = Array.from({ length: 2_000 }, () => accept("test").finally(() => answered++));
  for (let transfer = 0; transfer < 20; transfer++)
    expect(await accept("live")).toMatchObject({ status: "unallocated" });
  expect(answered).toBe(0);
  taken.release();
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set(["unallocated"]));
});

test("a commit on an unresponsive connection fails only its own transfers, and does not delay others", async () => {
  const wire = await openWire(world.database.service);
  onTestFinished(() => wire.close());
  const pool = connect(wire.url, 3);
  const accept = intakeOn({ live: pool, test: pool });
  await accept("live");
  expect(wire.silence()).toBe(1);
  let isOver = false;
  const caught = accept("live").then(
    () => "taken in",
    ({ code }) => code,
  );
  void caught.then(() => {
    isOver = true;
  });
  await until("it has a connection", () => pool.idleCount === 0);
  for (let transfer = 0; transfer < 20; transfer++)
    expect(await accept("live")).toMatchObject({ status: "unallocated" });
  expect(isOver).toBe(false);
  expect(await caught).toBe("service_unavailable");
});

test("transfers accepted while the broker does not answer are published once it does, without a sweep", async () => {
  const wire = await openWire(world.natsUrl);
  onTestFinished(() => wire.close());
  const bus = await connectAs("accounts", { url: wire.url, log: world.log });
  onTestFinished(() => bus.close());
  const published = await recordFacts(world.others, transferUnallocated);
  const accept = intakeOn({ live: connect(world.database.service, 2), test: connect(world.database.service, 1) }, bus);
  const first = await accept("live");
  await until("the first is published", () => published.all.some(({ intakeId }) => intakeId === first.intakeId));
  expect(wire.silence()).toBe(1);
  const meanwhile = [await accept("live"), await accept("live")];
  await until("the others are published", () =>
    meanwhile.every((one) => published.all.some(({ intakeId }) => intakeId === one.intakeId)),
  );
});

test("once a batch of those that waited is published, the next transfers wait for none of the others; what was too many is counted", async () => {
  const attempts: { ids: string[]; settle: ReturnType<typeof Promise.withResolvers<void>> }[] = [];
  const publish = (_event: unknown, facts: { intakeId: string }[]) => {
    const settle = Promise.withResolvers<void>();
    if (facts.length === 0) settle.resolve();
    else attempts.push({ ids: facts.map(({ intakeId }) => intakeId), settle });
    return settle.promise;
  };
  const bus: typeof world.bus = Object.create(world.bus, { publish: { value: publish } });
  const warned: unknown[] = [];
  const log: typeof world.log = Object.create(world.log, {
    warn: { value: (fields: object) => void warned.push(fields) },
  });
  const accept = intakeOn(
    { live: connect(world.database.service, 2), test: connect(world.database.service, 1) },
    bus,
    log,
  );
  await accept("live");
  attempts[0]?.settle.reject(Object.assign(new Error("no broker"), { code: "ECONNREFUSED" }));
  await until("it is tried again", () => attempts.length === 2);
  await Promise.all(Array.from({ length: 2_300 }, () => accept("live")));
  expect(attempts).toHaveLength(2);
  attempts[1]?.settle.resolve();
  await until("the first full batch of the others is under way", () => attempts.length === 3);
  const { intakeId } = await accept("live");
  await until("the next one is, too", () => attempts[3]?.ids.includes(intakeId));
  await until("the queue is empty", () => {
    for (const { settle } of attempts) settle.resolve();
    return warned.length === 2;
  });
  const published = new Set(attempts.flatMap(({ ids }) => ids));
  expect(published.size).toBeGreaterThan(1_700);
  expect(warned.at(-1)).toEqual({ err: undefined, transfers: 2_302 - published.size });
});
