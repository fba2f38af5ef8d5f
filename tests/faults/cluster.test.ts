import { streamName } from "@collect/bus";
import { collectionSucceeded, EVENTS, MODES, transferReceived } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type Cluster, type ClusterNode, openCluster } from "../stack/cluster.ts";
import { startStack } from "../stack.ts";
import { startPacedTraffic } from "./paced.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const { promise: opened, resolve } = Promise.withResolvers<Cluster>();
const stack = await startStack({
  openNats: async (directory) => {
    const cluster = await openCluster(directory);
    resolve(cluster);
    return cluster;
  },
});
const cluster = await opened;
afterAll(() => stack.stop());

/** For figures: `CLUSTER_ROUNDS=5 vitest run faults/cluster.test.ts` repeats everything and prints what was measured. */
const ROUNDS = Number(process.env.CLUSTER_ROUNDS ?? 0);
const PER_SECOND = 40;
const STREAMS = EVENTS.flatMap(({ from }) => MODES.map((mode) => streamName(from, mode)));
/** NATS elects a leader four to nine seconds after it last heard of one, and the last of seven elections decides. */
const STANDSTILL_MAX_MS = 15_000;

type Fault = { name: string; stream: string; act(node: ClusterNode): Promise<void> };
const KILLED: Fault = { name: "killed", stream: streamName(transferReceived.from, "live"), act: (node) => node.kill() };
const LOST: Fault = {
  name: "lost with its disk",
  stream: streamName(collectionSucceeded.from, "live"),
  async act(node) {
    await node.kill();
    await node.removeDisk();
  },
};
const STOPPED: Fault = { ...KILLED, name: "stopped", act: (node) => node.stop() };

test(
  "a server of the cluster that is killed, and one that loses its disk, lose and double nothing",
  async () => {
    const traffic = await openTraffic(stack);
    const paced = startPacedTraffic(stack, traffic, { perSecond: PER_SECOND });
    onTestFinished(paced.stop);
    for (const fault of ROUNDS
      ? Array.from({ length: ROUNDS }, () => [KILLED, LOST, STOPPED]).flat()
      : [KILLED, LOST]) {
      const node = cluster.node(await leaderOf(fault.stream));
      const gapMs = await paced.standstillDuring(() => fault.act(node));
      await node.start();
      await untilCopied();
      if (ROUNDS) process.stdout.write(`${fault.name}: standstill ${gapMs} ms\n`);
      expect(gapMs).toBeLessThan(STANDSTILL_MAX_MS);
    }
    await paced.stop();
    await redrive(stack, traffic);
    await proveNothingLost(stack, traffic);
  },
  180_000 + ROUNDS * 90_000,
);

const leaderOf = (stream: string) => until(`${stream} has a leader`, async () => (await peersOf(stream))?.leader);

/** Every stream is on three servers again. */
const untilCopied = () =>
  until("all servers have all streams", async () => {
    const streams = await Promise.all(STREAMS.map(peersOf));
    return streams.every((peers) => peers?.replicas?.filter(({ current }) => current).length === 2);
  });

/** Undefined while there is no leader, who would answer. */
const peersOf = (stream: string) =>
  stack.bus.manager.streams.info(stream).then(
    (info) => info.cluster,
    () => undefined,
  );
