import { EVENTS, type Fact, type FactEvent } from "@collect/contracts";
import { addTrace, currentTrace, inSpan } from "@collect/telemetry";
import type { JetStreamClient } from "@nats-io/jetstream";
import { headers, RequestError, TimeoutError } from "nats";
import type { FactSeal } from "../access/fact-seal.ts";
import { publishing } from "../steps.ts";
import type { Connection } from "./connection.ts";
import { type Mode, partitionOf, streamName, subjectOf } from "./streams.ts";

/** Facts per message: enough that a busy stage sends few messages. */
const FACTS_A_MESSAGE = 64;
/** At three bytes a character below 1 MB, which every broker accepts: facts with a merchant's metadata can be long. */
const CHARACTERS_A_MESSAGE = 300_000;
/** The maximum number of publishes waiting for the broker's acknowledgment. */
const WINDOW = 64;

/**
 * How long a message may take to be stored: short at first, because a leader that is gone never acknowledges it; then longer,
 * because a slow broker would be given the same again and again.
 */
const STORED_WITHIN_MS = { first: 2_000, second: 4_000 };
/** What a slow broker still stores, at the least; a window of long messages has 20 MB. */
const BYTES_PER_MS = 2_000;

const encoder = new TextEncoder();
const digits = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

type Options = {
  /** Creates what is missing of these events' streams and durables. */
  ensure(events: readonly FactEvent[], modes: Mode[]): Promise<void>;
  connection: Connection;
  seal: FactSeal | undefined;
  /**
   * Facts of one merchant stay in one partition. One partition is enough while a stage keeps up: a batch is then sent as one
   * message, with four partitions as four (a fifth more CPU time for the whole path).
   */
  partitions?: number | undefined;
};

/**
 * No message has a de-duplication id: it would swallow a redrive, even after a purge. The publisher ensures that its
 * consumers' durables exist before its first publish, and again after every reconnect: a wiped broker may already have
 * a stream again, created by another process, but no durable yet, and would drop published messages.
 */
export function createPublisher(js: JetStreamClient, { ensure, connection, seal, partitions = 1 }: Options) {
  /** The reconnect count at which each stream was last known to exist. Live does not wait for the stream of test. */
  const ensured = new Map<string, number>();

  async function ensureFor(event: FactEvent, modes: Mode[]): Promise<void> {
    if (modes.length === 0) return;
    const { returns } = connection;
    const published = EVENTS.filter(({ from }) => from === event.from);
    await ensure(published, modes);
    for (const mode of modes) ensured.set(streamName(event.from, mode), returns);
  }

  return async function publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): Promise<void> {
    if (facts.length === 0) return;
    if (!connection.isUp) throw new RequestError("the message broker is unreachable");
    const messages = pack(event, event.sealed ? sealEach(event, facts, seal) : facts, partitions);
    const step = () => publishing(event, messages.length);
    const modes = [...new Set(messages.map(({ mode }) => mode))];
    const unknown = () => modes.filter((mode) => ensured.get(streamName(event.from, mode)) !== connection.returns);
    await ensureFor(event, unknown());
    try {
      await inSpan(step, () => publishAll(js, messages, STORED_WITHIN_MS.first));
    } catch (error) {
      // The store was wiped while this process was running, or a leader is gone, or the connection was for a moment. Messages
      // stored before the failure are stored twice, which handlers expect.
      if (hasNoStream(error)) await ensureFor(event, modes);
      else if (error instanceof TimeoutError) await ensureFor(event, unknown());
      else throw error;
      await inSpan(step, () => publishAll(js, messages, STORED_WITHIN_MS.second));
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

type Message = { subject: string; mode: Mode; payload: Uint8Array };

function pack(event: FactEvent, facts: unknown[], partitions: number): Message[] {
  const bySubject = new Map<string, { mode: Mode; texts: string[] }>();
  for (const fact of facts) {
    const mode = modeOf(event, fact as Routed);
    const subject = subjectOf(event, mode, partitionOf(keyOf(event, fact as Routed), partitions));
    const text = JSON.stringify(fact, digits);
    const group = bySubject.get(subject);
    if (group) group.texts.push(text);
    else bySubject.set(subject, { mode, texts: [text] });
  }
  return [...bySubject].flatMap(([subject, { mode, texts }]) =>
    parts(texts).map((part) => ({ subject, mode, payload: encoder.encode(`[${part.join(",")}]`) })),
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

function modeOf(event: FactEvent, fact: Routed): Mode {
  const mode = fact.merchant?.mode ?? fact.mode;
  if (!mode) throw new Error(`a fact of ${event.subject} has no mode`);
  return mode;
}

const keyOf = (event: FactEvent, fact: Routed) => fact.merchant?.id ?? String(fact[event.naturalKey]);

async function publishAll(js: JetStreamClient, messages: Message[], withinMs: number): Promise<void> {
  const trace = currentTrace() && { headers: addTrace(headers()) };
  for (let from = 0; from < messages.length; from += WINDOW) {
    const window = messages.slice(from, from + WINDOW);
    const bytes = window.reduce((sum, { payload }) => sum + payload.length, 0);
    const timeout = withinMs + Math.ceil(bytes / BYTES_PER_MS);
    await Promise.all(window.map(({ subject, payload }) => js.publish(subject, payload, { timeout, ...trace })));
  }
}
