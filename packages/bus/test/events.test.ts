import { randomUUID } from "node:crypto";
import { EVENTS, type Fact, MODES, suspensePosted, transferUnallocated } from "@collect/contracts";
import { statement } from "@collect/database";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  answerDeadLetters,
  type Bus,
  type ConsumeContext,
  connectBus,
  consume,
  consumeEvents,
  durableName,
  ensureStreams,
  streamName,
} from "../src/index.ts";
import { type BusWorld, log, openBusWorld, until } from "./world.ts";

type Unallocated = Fact<typeof transferUnallocated>;

let world: BusWorld;
let bus: Bus;
let stop: () => Promise<void>;
/** What the handler got, batch by batch, and what it does beyond claiming. */
const batches: string[][] = [];
let also: (context: ConsumeContext, facts: Unallocated[]) => void = () => {};

const claim = statement(`insert into handled select * from unnest($1::text[], $2::bigint[]) on conflict do nothing`);

beforeAll(async () => {
  world = await openBusWorld();
  bus = await connectBus({ url: world.nats().url, name: "ledger", log });
  const handler = consume(transferUnallocated, { batchMax: 50 }, async (context, facts) => {
    batches.push(facts.map(({ intakeId }) => intakeId));
    await claim(context.tx, [facts.map(({ intakeId }) => intakeId), facts.map(({ amount }) => amount)]);
    also(context, facts);
  });
  const consumers = consumeEvents(bus, {
    service: "ledger",
    pools: { live: world.pool, test: world.pool },
    log,
    consumers: [handler],
  });
  await consumers.start();
  stop = () => consumers.stop();
});
afterAll(async () => {
  await stop();
  await bus.nats.close();
  await world.close();
});
beforeEach(() => {
  also = () => {};
  batches.splice(0);
});

const aFact = (given: Partial<Unallocated> = {}): Unallocated => ({
  intakeId: randomUUID(),
  mode: "test",
  amount: 100n,
  paidAt: "2026-11-21T09:30:00.000+00:00",
  receivedAt: "2026-11-21T09:30:00.000+00:00",
  ...given,
});
const isHandled = async ({ intakeId }: Unallocated) =>
  (await world.pool.query("select 1 from handled where key = $1", [intakeId])).rowCount === 1;
const letterOf = async (key: string) =>
  (await world.pool.query("select * from dead_letters where natural_key = $1", [key])).rows[0];

describe("publishing and consuming", () => {
  test("every fact is handled, in batches, in both modes", async () => {
    const facts = Array.from({ length: 500 }, (_, n) => aFact({ mode: n % 2 ? "live" : "test" }));
    await bus.publish(transferUnallocated, facts);
    for (const fact of facts) await until("handled", () => isHandled(fact));
    expect(batches.length).toBeLessThan(250);
    for (const mode of MODES)
      await until("nothing is left", async () => (await bus.backlog([transferUnallocated], mode)) === 0);
  });

  test("a fact that comes twice in a batch is handled once; with other content it has a round of its own", async () => {
    const fact = aFact();
    await bus.publish(transferUnallocated, [fact, fact, { ...fact, amount: 200n }]);
    await until("handled", () => isHandled(fact));
    await until("both rounds", () => batches.flat().filter((key) => key === fact.intakeId).length === 2);
  });

  test("what a handler publishes goes out after its commit", async () => {
    const seen: unknown[] = [];
    bus.listen(suspensePosted, (facts) => seen.push(...facts));
    await bus.nats.flush();
    also = ({ publish }, facts) =>
      publish(
        suspensePosted,
        facts.map(({ intakeId, mode, amount, receivedAt }) => ({
          intakeId,
          mode,
          amount,
          transactionId: "1",
          postedAt: receivedAt,
        })),
      );
    const fact = aFact();
    await bus.publish(transferUnallocated, [fact]);
    await until("published", () => seen.length === 1);
    expect(seen).toEqual([
      { intakeId: fact.intakeId, mode: "test", amount: "100", transactionId: "1", postedAt: fact.receivedAt },
    ]);
  });
});

test("who only listens passes over what cannot be read, and hears what comes after it", async () => {
  const seen: unknown[] = [];
  bus.listen(suspensePosted, (facts) => seen.push(...facts));
  const subject = `${suspensePosted.subject}.test.0`;
  bus.nats.publish(subject, "{not json");
  bus.nats.publish(subject, "7");
  bus.nats.publish(subject, JSON.stringify(["heard"]));
  await until("heard", () => seen.includes("heard"));
});

describe("when a handler fails", () => {
  test("for one fact's data, that fact alone goes to the dead letters, and the others are handled", async () => {
    const facts = Array.from({ length: 9 }, () => aFact());
    const bad = facts[4] as Unallocated;
    also = (_context, batch) => {
      if (batch.some(({ intakeId }) => intakeId === bad.intakeId)) throw new Error("this one is not right");
    };
    await bus.publish(transferUnallocated, facts);
    await until("buried", () => letterOf(bad.intakeId));
    expect(await letterOf(bad.intakeId)).toMatchObject({ error: "this one is not right", times: 1 });
    for (const fact of facts) if (fact !== bad) await until("handled", () => isHandled(fact));
    expect(await isHandled(bad)).toBe(false);

    const [, retry] = answerDeadLetters("ledger", { pool: world.pool, bus });
    also = () => {};
    expect(await retry?.answer({ natural_key: bad.intakeId }, "")).toEqual({ retried: 1 });
    await until("handled after all", () => isHandled(bad));
    expect(await letterOf(bad.intakeId)).toBeUndefined();
  });

  test("again after it was retried, the fact stays among the dead letters", async () => {
    const bad = aFact();
    also = (_context, batch) => {
      if (batch.some(({ intakeId }) => intakeId === bad.intakeId)) throw new Error("still not right");
    };
    await bus.publish(transferUnallocated, [bad]);
    await until("buried", () => letterOf(bad.intakeId));
    // The handler is faster than the retry's own end: it has failed again before the retry forgets.
    const slow: Bus = {
      ...bus,
      jetstream: Object.assign(Object.create(bus.jetstream), {
        publish: async (subject: string, payload: string) => {
          await bus.jetstream.publish(subject, payload);
          await until("buried again", async () => (await letterOf(bad.intakeId))?.times === 2);
        },
      }),
    };
    const [, retry] = answerDeadLetters("ledger", { pool: world.pool, bus: slow });
    expect(await retry?.answer({ natural_key: bad.intakeId }, "")).toEqual({ retried: 1 });
    expect(await letterOf(bad.intakeId)).toMatchObject({ times: 2 });
  });

  test("for want of a database, the batch comes again and nothing is buried", async () => {
    const fact = aFact();
    let failures = 0;
    also = () => {
      if (failures++ === 0) throw Object.assign(new Error("the database system is shutting down"), { code: "57P03" });
    };
    await bus.publish(transferUnallocated, [fact]);
    await until("handled", () => isHandled(fact));
    expect(await letterOf(fact.intakeId)).toBeUndefined();
    expect(batches.flat().filter((key) => key === fact.intakeId)).toHaveLength(2);
  });

  test("to be readable at all, a message is buried once and stops nobody", async () => {
    const fact = aFact();
    // PostgreSQL stores no text with a NUL in it.
    await bus.jetstream.publish(`${transferUnallocated.subject}.test.0`, "{]\0");
    await bus.publish(transferUnallocated, [fact]);
    await until("handled", () => isHandled(fact));
    const { rows } = await world.pool.query("select fact from dead_letters where natural_key like 'unreadable:%'");
    expect(rows).toEqual([{ fact: "{]\uFFFD" }]);
  });
});

test("consumers that are stopped while they are still subscribing stop", async () => {
  for (let round = 0; round < 20; round++) {
    const handler = consume(transferUnallocated, { batchMax: 50 }, async () => {});
    const consumers = consumeEvents(bus, {
      service: "ledger",
      pools: { live: world.pool, test: world.pool },
      log,
      consumers: [handler],
    });
    await consumers.start();
    await consumers.stop();
  }
});

test("what only copies are made of is not kept for a consumer that is away; what money needs is kept for ever", async () => {
  await ensureStreams(bus.manager, EVENTS);
  for (const event of EVENTS) {
    for (const service of event.to) {
      const name = durableName(event, service, "live");
      const { config } = await bus.manager.consumers.info(streamName(event.from, "live"), name);
      expect([name, config.inactive_threshold ?? 0]).toEqual([name, event.forCopies ? 600e9 : 0]);
    }
  }
});

describe("when the broker", () => {
  test("restarts, what was stored is handled and publishing goes on", async () => {
    const before = aFact();
    await bus.publish(transferUnallocated, [before]);
    await world.restartNats({ wiped: false });
    const after = aFact();
    await until("published again", () =>
      bus.publish(transferUnallocated, [after]).then(
        () => true,
        () => false,
      ),
    );
    for (const fact of [before, after]) await until("handled", () => isHandled(fact));
  });

  test("has lost its whole store under living processes, streams and durables are made again", async () => {
    await world.restartNats({ wiped: true });
    const fact = aFact();
    await until("published again", () =>
      bus.publish(transferUnallocated, [fact]).then(
        () => true,
        () => false,
      ),
    );
    await until("handled", () => isHandled(fact));
  });
});
