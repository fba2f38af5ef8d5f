import { type FactEvent, MODES, type ServiceName } from "@collect/contracts";
import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";

/**
 * Facts of one merchant stay in one partition. One is enough while a stage keeps up: a batch then leaves as one message, and with
 * four as four (a fifth more processor time for the whole path). The number may grow; subjects keep their form.
 */
export const PARTITIONS = 1;
/** A full stream refuses, and whoever publishes keeps its input unacknowledged. */
const STREAM_MAX_BYTES = 1024 ** 3;
/**
 * A durable that nobody has asked for this long, and that only makes copies, is dropped with what waits for it: otherwise a
 * projection that is away would fill the stream of its publisher, and with it stop the money that goes the same way.
 */
const COPIES_KEPT_NS = 600e9;
/** An unacknowledged message comes again after this long; handlers expect it. */
const ACK_WAIT_NS = 30e9;

export type Mode = (typeof MODES)[number];

/** One stream a publisher. Its subjects have six parts, so requests to the same service (three parts) never land in it. */
export const streamName = (service: ServiceName): string => service.toUpperCase();

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

/**
 * Makes the streams and durables of these events where they are missing: retention by interest would drop what is
 * published before its durable exists. What exists is never changed here; the migrate step does that.
 */
export async function ensureStreams(manager: JetStreamManager, events: readonly FactEvent[]): Promise<void> {
  for (const service of new Set(events.map((event) => event.from))) {
    await existing(manager.streams.info(streamName(service)), () =>
      manager.streams.add({
        name: streamName(service),
        subjects: [`${service}.*.*.*.*.*`],
        retention: RetentionPolicy.Interest,
        storage: StorageType.File,
        discard: DiscardPolicy.New,
        max_bytes: STREAM_MAX_BYTES,
      }),
    );
  }
  await Promise.all(
    durablesOf(events).map(({ event, to, mode }) => {
      const name = durableName(event, to, mode);
      return existing(manager.consumers.info(streamName(event.from), name), () =>
        manager.consumers.add(streamName(event.from), {
          durable_name: name,
          ack_policy: AckPolicy.Explicit,
          ack_wait: ACK_WAIT_NS,
          max_deliver: -1,
          max_ack_pending: 5_000,
          filter_subject: `${event.subject}.${mode}.*`,
          ...(event.forCopies && { inactive_threshold: COPIES_KEPT_NS }),
        }),
      );
    }),
  );
}

export async function backlogOf(manager: JetStreamManager, events: readonly FactEvent[]): Promise<number> {
  const waiting = await Promise.all(
    durablesOf(events).map(async ({ event, to, mode }) => {
      const info = await manager.consumers
        .info(streamName(event.from), durableName(event, to, mode))
        .catch(() => undefined);
      return info ? info.num_pending + info.num_ack_pending : 0;
    }),
  );
  return waiting.reduce((sum, count) => sum + count, 0);
}

const durablesOf = (events: readonly FactEvent[]) =>
  events.flatMap((event) => event.to.flatMap((to) => MODES.map((mode) => ({ event, to, mode }))));

const NOT_FOUND = new Set([10059, 10014]);
const ALREADY_THERE = new Set([10058, 10013, 10148]);

async function existing(info: Promise<unknown>, create: () => Promise<unknown>): Promise<void> {
  try {
    await info;
  } catch (error) {
    if (!(error instanceof JetStreamApiError && NOT_FOUND.has(error.code))) throw error;
    await create().catch((failure) => {
      // A twin was faster.
      if (!(failure instanceof JetStreamApiError && ALREADY_THERE.has(failure.code))) throw failure;
    });
  }
}
