import { randomUUID } from "node:crypto";
import { EVENTS, type Fact, MODES, suspensePosted, transferUnallocated } from "@collect/contracts";
import { statement } from "@collect/database";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { answerDeadLetters } from "../src/consuming/dead-letter-requests.ts";
import { type ConsumeContext, consume, createFactSeal, durableName, ensureStreams, streamName } from "../src/index.ts";
import { log, seal, startConsumers, until, useBus } from "./world.ts";

type Unallocated = Fact<typeof transferUnallocated>;

const strangers = createFactSeal(`test:${"8".repeat(64)}`);
const { world, bus } = await useBus("ledger");
/** The batches that the handler got, and what it does besides claiming. */
const batches: string[][] = [];
let extraWork: (context: ConsumeContext, facts: Unallocated[]) => void = () => {};

const claim = statement(`insert into handled select * from unnest($1::text[], $2::bigint[]) on conflict do nothing`);

const handler = consume(transferUnallocated, { batchMax: 50 }, async (context, facts) => {
  batches.push(facts.map(({ intakeId }) => intakeId));
  await claim(context.tx, [facts.map(({ intakeId }) => intakeId), facts.map(({ amount }) => amount)]);
  extraWork(context, facts);
});
afterAll(await startConsumers({ world, bus }, handler));
beforeEach(() => {
  extraWork = () => {};
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
const deadLetterOf = async (key: string) =>
  (await world.pool.query("select * from dead_letters where natural_key = $1", [key])).rows[0];

/** As the operator's requests do it. */
function deadLetters(act: "retry" | "discard", natural_key: string) {
  const pools = { live: world.pool, test: world.pool };
  const [, retry, discard] = answerDeadLetters(bus, { service: "ledger", pools, log, consumers: [handler] });
  const context = { requestId: "req_1", actor: { kind: "operator", name: "ada" } } as const;
  return { retry, discard }[act]?.answer({ natural_key }, context);
}

describe("publishing and consuming", () => {
  test("every fact is handled, in batches, in both modes", async () => {
    const facts = Array.from({ length: 500 }, (_, n) => aFact({ mode: n % 2 ? "live" : "test" }));
    await bus.publish(transferUnallocated, facts);
    for (const fact of facts) await until("handled", () => isHandled(fact));
    expect(batches.length).toBeLessThan(250);
    for (const mode of MODES)
      await until("nothing is left", async () => (await bus.backlog([transferUnallocated], mode)) === 0);
  });

  test("a duplicate within a batch is handled once; with other content it is handled in a separate round", async () => {
    const fact = aFact();
    await bus.publish(transferUnallocated, [fact, fact, { ...fact, amount: 200n }]);
    await until("handled", () => isHandled(fact));
    await until("both rounds", () => batches.flat().filter((key) => key === fact.intakeId).length === 2);
  });

  test("a handler's events are published after its commit", async () => {
    const seen: unknown[] = [];
    bus.listen(suspensePosted, (facts) => seen.push(...facts));
    await bus.nats.flush();
    extraWork = ({ publish }, facts) =>
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

test("a listener skips unreadable messages and receives the ones after them", async () => {
  const seen: unknown[] = [];
  bus.listen(suspensePosted, (facts) => seen.push(...facts));
  const subject = `${suspensePosted.subject}.test.0`;
  bus.nats.publish(subject, "{not json");
  bus.nats.publish(subject, "7");
  bus.nats.publish(subject, JSON.stringify(["received"]));
  await until("received", () => seen.includes("received"));
});

describe("when a handler fails", () => {
  test("because of one fact's data, only that fact is dead-lettered, and the others are handled", async () => {
    const facts = Array.from({ length: 9 }, () => aFact());
    const bad = facts[4] as Unallocated;
    extraWork = (_context, batch) => {
      if (batch.some(({ intakeId }) => intakeId === bad.intakeId)) throw new Error("this one is not right");
    };
    await bus.publish(transferUnallocated, facts);
    await until("dead-lettered", () => deadLetterOf(bad.intakeId));
    expect(await deadLetterOf(bad.intakeId)).toMatchObject({ error: "this one is not right", times: 1 });
    for (const fact of facts) if (fact !== bad) await until("handled", () => isHandled(fact));
    expect(await isHandled(bad)).toBe(false);

    extraWork = () => {};
    expect(await deadLetters("retry", bad.intakeId)).toEqual({ retried: 1 });
    await until("handled after the retry", () => isHandled(bad));
    expect(await deadLetterOf(bad.intakeId)).toBeUndefined();
  });

  test("again after a retry, the fact stays dead-lettered", async () => {
    const bad = aFact();
    extraWork = (_context, batch) => {
      if (batch.some(({ intakeId }) => intakeId === bad.intakeId)) throw new Error("still not right");
    };
    await bus.publish(transferUnallocated, [bad]);
    await until("dead-lettered", () => deadLetterOf(bad.intakeId));
    expect(await deadLetters("retry", bad.intakeId)).toEqual({ retried: 1 });
    expect(await deadLetterOf(bad.intakeId)).toMatchObject({ times: 2 });
    // It may be money: it can be retried, never discarded.
    expect(await deadLetters("discard", bad.intakeId)).toEqual({ discarded: 0 });
    expect(await deadLetterOf(bad.intakeId)).toMatchObject({ times: 2 });
  });

  test("because the database is down, the batch is retried and nothing is dead-lettered", async () => {
    const fact = aFact();
    let failures = 0;
    extraWork = () => {
      if (failures++ === 0) throw Object.assign(new Error("the database system is shutting down"), { code: "57P03" });
    };
    await bus.publish(transferUnallocated, [fact]);
    await until("handled", () => isHandled(fact));
    expect(await deadLetterOf(fact.intakeId)).toBeUndefined();
    expect(batches.flat().filter((key) => key === fact.intakeId)).toHaveLength(2);
  });

  test("to parse a message, the message is dead-lettered once and blocks no others", async () => {
    const fact = aFact();
    // PostgreSQL stores no text with a NUL in it.
    await bus.jetstream.publish(`${transferUnallocated.subject}.test.0`, "{]\0");
    await bus.publish(transferUnallocated, [fact]);
    await until("handled", () => isHandled(fact));
    const { rows } = await world.pool.query("select fact from dead_letters where natural_key like 'unreadable:%'");
    expect(rows).toEqual([{ fact: "{]\uFFFD" }]);
  });
});

describe("a fact that does not prove its publisher", () => {
  const publishRaw = (fact: object) =>
    bus.jetstream.publish(`${transferUnallocated.subject}.test.0`, JSON.stringify([{ ...fact, amount: "100" }]));
  const forgedLetters = async (intakeId: string) =>
    (await world.pool.query("select natural_key, error from dead_letters where fact like $1", [`%${intakeId}%`])).rows;

  test.each([
    ["has no MAC", () => ({})],
    ["has the MAC of another fact", () => ({ mac: seal.macOf(transferUnallocated, aFact()) })],
    ["has the MAC of another event", (fact: Unallocated) => ({ mac: seal.macOf(suspensePosted, fact) })],
    ["is signed with an unknown key", (fact: Unallocated) => ({ mac: strangers.macOf(transferUnallocated, fact) })],
    ["has a MAC that is no text", () => ({ mac: 7 })],
  ])("because it %s is not handled, but dead-lettered beside the true fact", async (_what, macOf) => {
    const fact = aFact();
    await publishRaw({ ...fact, ...macOf(fact) });
    await bus.publish(transferUnallocated, [fact]);
    await until("the true fact is handled", () => isHandled(fact));
    expect(batches.flat()).toEqual([fact.intakeId]);
    expect(await forgedLetters(fact.intakeId)).toHaveLength(1);
  });

  test("is refused again when its dead letter is retried", async () => {
    const fact = aFact();
    await publishRaw(fact);
    const [letter] = await until("dead-lettered", async () => {
      const letters = await forgedLetters(fact.intakeId);
      return letters.length > 0 && letters;
    });
    expect(letter.error).toContain("does not prove its publisher");
    await deadLetters("retry", letter.natural_key);
    expect(await forgedLetters(fact.intakeId)).toHaveLength(1);
    expect(await isHandled(fact)).toBe(false);
    expect(await deadLetters("discard", letter.natural_key)).toEqual({ discarded: 1 });
    expect(await forgedLetters(fact.intakeId)).toEqual([]);
  });

  test("while a key is replaced, facts of both keys are accepted, and those of a removed key are not", () => {
    const [old, next] = [`old:${"1".repeat(64)}`, `next:${"2".repeat(64)}`];
    const fact = { ...aFact(), amount: "100" };
    const signed = { ...fact, mac: createFactSeal(old).macOf(transferUnallocated, fact) };
    expect(createFactSeal(`${next},${old}`).isValid(transferUnallocated, signed)).toBe(true);
    expect(createFactSeal(next).isValid(transferUnallocated, signed)).toBe(false);
    expect(createFactSeal(`${next},${old}`).macOf(transferUnallocated, fact)).toMatch(/^next:/);
  });
});

test("consumers can be stopped while they are still subscribing", async () => {
  for (let round = 0; round < 20; round++) {
    const handler = consume(transferUnallocated, { batchMax: 50 }, async () => {});
    const stop = await startConsumers({ world, bus }, handler);
    await stop();
  }
});

test("events for copies expire while their consumer is down; events for money are kept indefinitely", async () => {
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
  test("restarts, stored facts are handled and publishing resumes", async () => {
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

  test("loses its store while processes are running, streams and durables are recreated", async () => {
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
