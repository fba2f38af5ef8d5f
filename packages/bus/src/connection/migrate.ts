import { setTimeout as sleep } from "node:timers/promises";
import { EVENTS, MODES } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import { MIGRATE } from "../access/permissions.ts";
import { onceAvailable } from "./available.ts";
import type { Broker } from "./broker.ts";
import { connectBus } from "./connect.ts";
import {
  declared,
  durableConfig,
  durableName,
  ensureStreams,
  hasNoStream,
  streamConfig,
  streamName,
  tooManyReplicas,
  withLargestSize,
} from "./streams.ts";

/** A cluster that is being formed is waited for. */
const AVAILABLE_WITHIN_MS = 60_000;
/** New replicas of a stream copy what it stores. */
const COPIED_WITHIN_MS = 60_000;
const POLL_MS = 100;

/**
 * The job `streams`: creates and updates streams and durables as the contracts declare them, with the
 * broker's number of replicas. Returns the names of those it deleted because no contract declares them any more.
 */
export async function migrateBus(options: Broker & { log: Logger }): Promise<{ removed: string[] }> {
  const { log, replicas = 1 } = options;
  const bus = await connectBus({ ...options, name: MIGRATE });
  const signal = AbortSignal.timeout(AVAILABLE_WITHIN_MS);
  try {
    const migrate = () => migrateStreams(bus.manager, { replicas, log });
    return await onceAvailable("streams", migrate, { log, signal, passes: hasNoStream });
  } finally {
    await bus.close();
  }
}

/**
 * Creates missing streams and durables, updates existing ones, and deletes those that no event declares any more.
 * Repeatable. The services that promised the messages of a deleted stream republish them.
 */
async function migrateStreams(
  manager: JetStreamManager,
  { replicas, log }: { replicas: number; log: Logger },
): Promise<{ removed: string[] }> {
  const { streams, durables } = declared(EVENTS, MODES);
  const removed = await removeUndeclared(manager);
  await ensureStreams(manager, EVENTS, { replicas });
  for (const stream of streams) {
    const wanted = streamConfig(stream, replicas);
    const { config, cluster } = await manager.streams.info(wanted.name);
    // NATS 2.9 would accept it, and store the stream once.
    if (replicas > 1 && !cluster) throw tooManyReplicas(replicas, "it is not in a cluster");
    await withLargestSize(wanted, (sized) => manager.streams.update(wanted.name, { ...config, ...sized }));
  }
  for (const durable of durables) {
    const { durable_name, ...wanted } = durableConfig(durable);
    await manager.consumers.update(streamName(durable.event.from, durable.mode), durable_name, wanted);
  }
  const end = performance.now() + COPIED_WITHIN_MS;
  for (const stream of streams) {
    const { name } = streamConfig(stream, replicas);
    const isCopied = await untilCopied(() => manager.streams.info(name), { replicas, end });
    if (!isCopied) log.warn({ stream: name, replicas }, "a replica of a stream is not up to date yet");
  }
  return { removed };
}

async function removeUndeclared(manager: JetStreamManager): Promise<string[]> {
  const { streams, durables } = declared(EVENTS, MODES);
  const declaredStreams = new Set(streams.map(({ service, mode }) => streamName(service, mode)));
  const declaredDurables = new Set(durables.map(({ event, to, mode }) => durableName(event, to, mode)));
  const publishers = new Set<string>(streams.map(({ service }) => service));
  const removed: string[] = [];
  for await (const { config } of manager.streams.list()) {
    const isOurs = config.subjects?.every((subject) => publishers.has(subject.split(".")[0] ?? ""));
    if (!isOurs) continue;
    if (!declaredStreams.has(config.name)) {
      await manager.streams.delete(config.name);
      removed.push(config.name);
      continue;
    }
    for await (const { name } of manager.consumers.list(config.name)) {
      if (declaredDurables.has(name)) continue;
      await manager.consumers.delete(config.name, name);
      removed.push(name);
    }
  }
  return removed;
}

/** Whether all replicas have what the leader has. A server that is down does not hold up a migration. */
async function untilCopied(
  info: () => Promise<StreamInfo>,
  { replicas, end }: { replicas: number; end: number },
): Promise<boolean> {
  for (;;) {
    const others = (await info()).cluster?.replicas ?? [];
    if (others.filter(({ current }) => current).length === replicas - 1) return true;
    if (performance.now() > end) return false;
    await sleep(POLL_MS);
  }
}
