import { type FactEvent, MODES, type ServiceName } from "@collect/contracts";
import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { TimeoutError } from "nats";

export type Mode = (typeof MODES)[number];

/**
 * How long a consumer may be down before the stream of its publisher is full, at 1,000 facts a second of about 500
 * bytes. A full stream refuses, and refused facts wait in the publisher's database: nothing is lost, but recovery takes
 * longer.
 */
const FACTS_PER_SECOND = 1_000;
const BYTES_PER_FACT = 500;
const OUTAGE_COVERED_S: Record<Mode, number> = { live: 2 * 3_600, test: 1_200 };
/** On a broker with too little disk the size is halved repeatedly, down to this. */
const STREAM_MIN_BYTES = 16 * 1024 ** 2;

/**
 * A durable that only feeds copies is deleted with its backlog after this long without a request: otherwise a
 * projection that is down would fill its publisher's stream and block the money in the same stream.
 */
const COPIES_KEPT_NS = 600e9;
/**
 * An unacknowledged message is redelivered after this long, so another process soon takes over the work of one that
 * crashed. A consumer that is still working on a message reports that three times in this period.
 */
export const ACK_WAIT_MS = 10_000;
/** The number of unacknowledged messages of one durable over all replicas. */
const ACK_PENDING_MAX = 1_024;

/** How often a question about a stream or durable is asked that nobody answers. */
const ASKED_TIMES = 5;

/**
 * One stream per publisher and mode: unconsumed test traffic fills its own stream and never blocks live money. Its
 * subjects have six parts, so requests to the same service (three parts) never match it.
 */
export const streamName = (service: ServiceName, mode: Mode): string => `${service}_${mode}`.toUpperCase();

/** Test and live have separate durables: a flood of test traffic never delays live money. */
export function durableName(event: FactEvent, consumer: ServiceName, mode: Mode): string {
  return `${consumer}-${event.subject.replaceAll(".", "_")}-${mode}`;
}

export function subjectOf(event: FactEvent, mode: Mode, partition: number): string {
  return `${event.subject}.${mode}.${partition}`;
}

/** FNV-1a of the merchant (or of the fact, if its merchant is not known yet). */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % partitions;
}

type Stream = { service: ServiceName; mode: Mode };
type Durable = { event: FactEvent; to: ServiceName; mode: Mode };

/** A durable of a stream with interest retention has the stream's number of replicas. */
export const streamConfig = ({ service, mode }: Stream, replicas: number) =>
  ({
    name: streamName(service, mode),
    subjects: [`${service}.*.*.*.${mode}.*`],
    retention: RetentionPolicy.Interest,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_bytes: OUTAGE_COVERED_S[mode] * FACTS_PER_SECOND * BYTES_PER_FACT,
    num_replicas: replicas,
  }) satisfies Partial<StreamConfig>;

export const durableConfig = ({ event, to, mode }: Durable) =>
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
 * Creates missing streams and durables of these events: interest retention would drop messages published before their
 * durable exists. Existing ones are never changed here; only the migrate step does that.
 */
export async function ensureStreams(
  manager: JetStreamManager,
  events: readonly FactEvent[],
  { replicas = 1, modes = MODES }: { replicas?: number | undefined; modes?: readonly Mode[] } = {},
): Promise<void> {
  const { streams, durables } = declared(events, modes);
  for (const stream of streams) {
    const config = streamConfig(stream, replicas);
    await orCreate(
      () => manager.streams.info(config.name),
      () => addStream(manager, config),
    );
  }
  await Promise.all(durables.map((durable) => ensureDurable(manager, durable)));
}

/**
 * The same for one durable. Its consumer creates it if it is gone, but never the stream: that is the publisher's, whose
 * configuration decides who reads what. Throws while there is no stream.
 */
export async function ensureDurable(manager: JetStreamManager, durable: Durable): Promise<ConsumerInfo> {
  const stream = streamName(durable.event.from, durable.mode);
  const config = durableConfig(durable);
  return orCreate(
    () => manager.consumers.info(stream, config.durable_name),
    () => manager.consumers.add(stream, config),
  );
}

/** Also just after the stream was created: another server of the cluster may not know it yet. */
export const hasNoStream = (error: unknown): boolean => isOneOf(NO_STREAM, error);

/**
 * The pending and unacknowledged messages in the durables of these events in this mode. A missing durable counts as
 * empty; a broker that does not answer is an error, not an empty one.
 */
export async function backlogOf(manager: JetStreamManager, events: readonly FactEvent[], mode: Mode): Promise<number> {
  const infos = await Promise.all(declared(events, [mode]).durables.map((durable) => infoOfDurable(manager, durable)));
  return infos.reduce((sum, info) => sum + (info ? info.num_pending + info.num_ack_pending : 0), 0);
}

export const infoOfDurable = (
  manager: JetStreamManager,
  { event, to, mode }: Durable,
): Promise<ConsumerInfo | undefined> =>
  orMissing(() => manager.consumers.info(streamName(event.from, mode), durableName(event, to, mode)));

/** Of the last message that was published to the stream of this event; 0 without a stream. */
export async function lastSequence(manager: JetStreamManager, { event, mode }: Omit<Durable, "to">): Promise<number> {
  const info = await orMissing(() => manager.streams.info(streamName(event.from, mode)));
  return info?.state.last_seq ?? 0;
}

export function declared(
  events: readonly FactEvent[],
  modes: readonly Mode[],
): { streams: Stream[]; durables: Durable[] } {
  const publishers = [...new Set(events.map((event) => event.from))];
  return {
    streams: publishers.flatMap((service) => modes.map((mode) => ({ service, mode }))),
    durables: events.flatMap((event) => event.to.flatMap((to) => modes.map((mode) => ({ event, to, mode })))),
  };
}

const NO_STREAM = new Set([10059]);
const NOT_FOUND = new Set([10059, 10014]);
const ALREADY_EXISTS = new Set([10058, 10013, 10148]);
/** In a cluster no server with enough storage is no peer. */
const NO_STORAGE = new Set([10047, 10028, 10023, 10005]);
/** Too few servers are in the cluster, or it is none. */
const NO_PEERS = new Set([10005, 10074]);

export const isOneOf = (codes: Set<number>, error: unknown): boolean =>
  error instanceof JetStreamApiError && codes.has(error.code);

const orMissing = <Info>(info: () => Promise<Info>): Promise<Info | undefined> =>
  ask(info).catch((error: unknown) => {
    if (!isOneOf(NOT_FOUND, error)) throw error;
    return undefined;
  });

/** What is there, or what `create` makes. */
const orCreate = <Info>(info: () => Promise<Info>, create: () => Promise<Info>): Promise<Info> =>
  ask(async () => {
    const found = await info().catch((error: unknown) => {
      if (!isOneOf(NOT_FOUND, error)) throw error;
    });
    return (
      found ??
      create().catch((error: unknown) => {
        // Another process created it first.
        if (!isOneOf(ALREADY_EXISTS, error)) throw error;
        return info();
      })
    );
  });

/** A leader that is gone answers nothing, and the next one does not know what was asked: it is asked again. */
async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof TimeoutError) || attempt === ASKED_TIMES) throw error;
    }
  }
}

const addStream = (manager: JetStreamManager, config: ReturnType<typeof streamConfig>) =>
  withLargestSize(config, (sized) => manager.streams.add(sized));

/** The broker reserves the size on its disk at creation, so the largest that fits is used. */
export async function withLargestSize<Config extends ReturnType<typeof streamConfig>, Result>(
  config: Config,
  make: (config: Config) => Promise<Result>,
): Promise<Result> {
  try {
    return await make(config);
  } catch (error) {
    if (isOneOf(NO_PEERS, error) && !isAboutStorage(error)) throw tooManyReplicas(config.num_replicas, error);
    const max_bytes = config.max_bytes / 2;
    if (!isOneOf(NO_STORAGE, error) || max_bytes < STREAM_MIN_BYTES) throw error;
    return withLargestSize({ ...config, max_bytes }, make);
  }
}

const isAboutStorage = (error: unknown) => error instanceof Error && /storage/.test(error.message);

export const tooManyReplicas = (replicas: number, cause: unknown) =>
  new Error(
    `NATS_REPLICAS is ${replicas}, and the message broker has too few servers for that: ${cause instanceof Error ? cause.message : cause}`,
    { cause },
  );
