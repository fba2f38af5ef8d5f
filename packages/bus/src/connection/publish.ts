import { EVENTS, type Fact, type FactEvent } from "@collect/contracts";
import type { JetStreamClient } from "@nats-io/jetstream";
import { RequestError } from "nats";
import type { FactSeal } from "../access/fact-seal.ts";
import type { Connection } from "./connection.ts";
import { type Mode, PARTITIONS, partitionOf, subjectOf } from "./streams.ts";

/** Facts per message: enough that a busy stage sends few messages. */
const FACTS_A_MESSAGE = 64;
/** At three bytes a character below 1 MB, which every broker accepts: facts with a merchant's metadata can be long. */
const CHARACTERS_A_MESSAGE = 300_000;
/** The maximum number of publishes waiting for the broker's acknowledgment. */
const WINDOW = 64;

const encoder = new TextEncoder();
const digits = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

type Options = {
  /** Creates what is missing of these events' streams and durables. */
  ensure(events: readonly FactEvent[]): Promise<void>;
  connection: Connection;
  seal: FactSeal | undefined;
};

/**
 * No message has a de-duplication id: it would swallow a redrive, even after a purge. The publisher ensures that its
 * consumers' durables exist before its first publish, and again after every reconnect: a wiped broker may already have
 * a stream again, created by another process, but no durable yet, and would drop published messages.
 */
export function createPublisher(js: JetStreamClient, { ensure, connection, seal }: Options) {
  /** By publisher, the reconnect count at which its streams were last known to exist. */
  const ensured = new Map<string, number>();

  async function ensureFor(event: FactEvent): Promise<void> {
    const { returns } = connection;
    await ensure(EVENTS.filter(({ from }) => from === event.from));
    ensured.set(event.from, returns);
  }

  return async function publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): Promise<void> {
    if (facts.length === 0) return;
    if (!connection.isUp) throw new RequestError("the message broker is unreachable");
    if (ensured.get(event.from) !== connection.returns) await ensureFor(event);
    const messages = pack(event, event.sealed ? sealEach(event, facts, seal) : facts);
    try {
      await publishAll(js, messages);
    } catch (error) {
      if (!hasNoStream(error)) throw error;
      // The store was wiped while this process was running. Messages stored before the failure are stored twice, which
      // handlers expect.
      await ensureFor(event);
      await publishAll(js, messages);
    }
  };
}

/** No stream accepts the subject. (A full stream and a broker that does not answer give other errors.) */
const hasNoStream = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();

function sealEach(event: FactEvent, facts: unknown[], seal: FactSeal | undefined): unknown[] {
  if (!seal) throw new Error(`${event.subject} is published only with the keys that prove it`);
  return facts.map((fact) => ({ ...Object(fact), mac: seal.macOf(event, Object(fact)) }));
}

type Message = { subject: string; payload: Uint8Array };

function pack(event: FactEvent, facts: unknown[]): Message[] {
  const bySubject = new Map<string, string[]>();
  for (const fact of facts) {
    const subject = route(event, fact as Routed);
    const text = JSON.stringify(fact, digits);
    const group = bySubject.get(subject);
    if (group) group.push(text);
    else bySubject.set(subject, [text]);
  }
  return [...bySubject].flatMap(([subject, group]) =>
    parts(group).map((texts) => ({ subject, payload: encoder.encode(`[${texts.join(",")}]`) })),
  );
}

/** The facts of each message, in order. */
function parts(texts: string[]): string[][] {
  let part: string[] = [];
  let characters = 0;
  const all = [part];
  for (const text of texts) {
    if (part.length > 0 && (part.length === FACTS_A_MESSAGE || characters + text.length > CHARACTERS_A_MESSAGE)) {
      part = [];
      characters = 0;
      all.push(part);
    }
    part.push(text);
    characters += text.length;
  }
  return all;
}

type Routed = { merchant?: { id: string; mode: Mode }; mode?: Mode } & Record<string, unknown>;

function route(event: FactEvent, fact: Routed): string {
  const mode = fact.merchant?.mode ?? fact.mode;
  if (!mode) throw new Error(`a fact of ${event.subject} has no mode`);
  return subjectOf(event, mode, partitionOf(fact.merchant?.id ?? String(fact[event.naturalKey]), PARTITIONS));
}

async function publishAll(js: JetStreamClient, messages: Message[]): Promise<void> {
  for (let from = 0; from < messages.length; from += WINDOW) {
    await Promise.all(messages.slice(from, from + WINDOW).map(({ subject, payload }) => js.publish(subject, payload)));
  }
}
