import { EVENTS, type FactEvent, MODES, type ServiceName } from "@collect/contracts";
import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";

/**
 * Facts of one merchant stay in one partition. One is enough while a stage keeps up: a batch then leaves as one message, and with
 * four as four (a fifth more processor time for the whole path). The number may grow; subjects keep their form.
 */
export const PARTITIONS = 1;

export type Mode = (typeof MODES)[number];

/**
 * How long a consumer may be down before the stream of its publisher is full, at 1,000 facts a second of about 500 bytes. A
 * full stream refuses, and what it refused waits in the publisher's database: nothing is lost, but the way back is longer.
 */
const FACTS_PER_SECOND = 1_000;
const BYTES_PER_FACT = 500;
const BRIDGED_S: Record<Mode, number> = { live: 2 * 3_600, test: 1_200 };
/** A broker with too little disk for that gets streams of half the size, and half again, down to this. */
const STREAM_MIN_BYTES = 16 * 1024 ** 2;

/**
 * A durable that nobody has asked for this long, and that only makes copies, is dropped with what waits for it: otherwise a
 * projection that is away would fill the stream of its publisher, and with it stop the money that goes the same way.
 */
const COPIES_KEPT_NS = 600e9;
/**
 * An unacknowledged message comes again after this long: so soon the work of a process that died is done by another. A
 * consumer that still works on a message says so three times in that time.
 */
export const ACK_WAIT_MS = 10_000;
/** What all replicas together may have in hand of one durable. */
const ACK_PENDING_MAX = 1_024;

/**
 * One stream per publisher and mode: test traffic that nobody consumes fills its own stream and refuses no live money. Its
 * subjects have six parts, so requests to the same service (three parts) never land in it.
 */
export const streamName = (service: ServiceName, mode: Mode): string => `${service}_${mode}`.toUpperCase();

/** Test and live have durables of their own: a flood of test traffic never delays live money. */
export function durableName(event: FactEvent, consumer: ServiceName, mode: Mode): string {
  return `${consumer}-${event.subject.replaceAll(".", "_")}-${mode}`;
}

export function subjectOf(event: FactEvent, mode: Mode, partition: number): string {
  return `${event.subject}.${mode}.${partition}`;
}

/** FNV-1a of the merchant (or of the fact, when no merchant is known yet). */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % partitions;
}

type Stream = { service: ServiceName; mode: Mode };
type Durable = { event: FactEvent; to: ServiceName; mode: Mode };

const streamConfig = ({ service, mode }: Stream) =>
  ({
    name: streamName(service, mode),
    subjects: [`${service}.*.*.*.${mode}.*`],
    retention: RetentionPolicy.Interest,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_bytes: BRIDGED_S[mode] * FACTS_PER_SECOND * BYTES_PER_FACT,
  }) satisfies Partial<StreamConfig>;

const durableConfig = ({ event, to, mode }: Durable) =>
  ({
    durable_name: durableName(event, to, mode),
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACK_WAIT_MS * 1e6,
    max_deliver: -1,
    max_ack_pending: ACK_PENDING_MAX,
    filter_subject: `${event.subject}.${mode}.*`,
    ...(event.forCopies && { inactive_threshold: COPIES_KEPT_NS }),
  }) satisfies Partial<ConsumerConfig>;

/**
 * Makes the streams and durables of these events where they are missing: retention by interest would drop what is
 * published before its durable exists. What exists is never changed here; the migrate step does that.
 */
export async function ensureStreams(
  manager: JetStreamManager,
  events: readonly FactEvent[],
  modes: readonly Mode[] = MODES,
): Promise<void> {
  const { streams, durables } = declared(events, modes);
  for (const stream of streams) {
    const config = streamConfig(stream);
    await orCreate(manager.streams.info(config.name), () => addStream(manager, config));
  }
  await Promise.all(
    durables.map((durable) => {
      const stream = streamName(durable.event.from, durable.mode);
      const config = durableConfig(durable);
      return orCreate(manager.consumers.info(stream, config.durable_name), () => manager.consumers.add(stream, config));
    }),
  );
}

/**
 * The bus's migrate step: makes what is missing, gives what exists the present settings, and removes the streams and durables
 * that no event declares any more. Repeatable. Messages that are removed with a stream are sent again by who promised them.
 */
export async function migrateStreams(manager: JetStreamManager): Promise<{ removed: string[] }> {
  const { streams, durables } = declared(EVENTS, MODES);
  const kept = new Set(streams.map(({ service, mode }) => streamName(service, mode)));
  const keptDurables = new Set(durables.map(({ event, to, mode }) => durableName(event, to, mode)));
  const publishers = new Set<string>(streams.map(({ service }) => service));
  const removed: string[] = [];
  for await (const { config } of manager.streams.list()) {
    const isOurs = config.subjects?.every((subject) => publishers.has(subject.split(".")[0] ?? ""));
    if (!isOurs) continue;
    if (!kept.has(config.name)) {
      await manager.streams.delete(config.name);
      removed.push(config.name);
      continue;
    }
    for await (const { name } of manager.consumers.list(config.name)) {
      if (keptDurables.has(name)) continue;
      await manager.consumers.delete(config.name, name);
      removed.push(name);
    }
  }
  await ensureStreams(manager, EVENTS);
  for (const stream of streams) {
    const { name, ...wanted } = streamConfig(stream);
    const { config } = await manager.streams.info(name);
    await fitting(wanted.max_bytes, (max_bytes) => manager.streams.update(name, { ...config, ...wanted, max_bytes }));
  }
  for (const durable of durables) {
    const { durable_name, ...wanted } = durableConfig(durable);
    await manager.consumers.update(streamName(durable.event.from, durable.mode), durable_name, wanted);
  }
  return { removed };
}

/**
 * Messages that the durables of these events in this mode hold: not yet taken, or taken and not yet acknowledged. One that is
 * missing holds none; a broker that does not answer is not one at which nothing waits.
 */
export async function backlogOf(manager: JetStreamManager, events: readonly FactEvent[], mode: Mode): Promise<number> {
  const waiting = await Promise.all(
    declared(events, [mode]).durables.map(async ({ event, to }) => {
      const info = await manager.consumers
        .info(streamName(event.from, mode), durableName(event, to, mode))
        .catch((error: unknown) => {
          if (!isOneOf(NOT_FOUND, error)) throw error;
        });
      return info ? info.num_pending + info.num_ack_pending : 0;
    }),
  );
  return waiting.reduce((sum, count) => sum + count, 0);
}

function declared(events: readonly FactEvent[], modes: readonly Mode[]): { streams: Stream[]; durables: Durable[] } {
  const publishers = [...new Set(events.map((event) => event.from))];
  return {
    streams: publishers.flatMap((service) => modes.map((mode) => ({ service, mode }))),
    durables: events.flatMap((event) => event.to.flatMap((to) => modes.map((mode) => ({ event, to, mode })))),
  };
}

const NOT_FOUND = new Set([10059, 10014]);
const ALREADY_THERE = new Set([10058, 10013, 10148]);
const NO_STORAGE = new Set([10047, 10028, 10023]);

const isOneOf = (codes: Set<number>, error: unknown): boolean =>
  error instanceof JetStreamApiError && codes.has(error.code);

async function orCreate(info: Promise<unknown>, create: () => Promise<unknown>): Promise<void> {
  try {
    await info;
  } catch (error) {
    if (!isOneOf(NOT_FOUND, error)) throw error;
    await create().catch((failure) => {
      // Another process was faster.
      if (!isOneOf(ALREADY_THERE, failure)) throw failure;
    });
  }
}

const addStream = (manager: JetStreamManager, config: ReturnType<typeof streamConfig>) =>
  fitting(config.max_bytes, (max_bytes) => manager.streams.add({ ...config, max_bytes }));

/** A size is set aside on the broker's disk when it is asked for: the largest that fits is taken. */
async function fitting(bytes: number, make: (bytes: number) => Promise<unknown>): Promise<void> {
  try {
    await make(bytes);
  } catch (error) {
    if (!isOneOf(NO_STORAGE, error) || bytes / 2 < STREAM_MIN_BYTES) throw error;
    await fitting(bytes / 2, make);
  }
}
