import { streamName } from "@collect/bus";
import { collectionSucceeded, transferReceived } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { type Cluster, openCluster } from "../stack/cluster.ts";
import { startStack } from "../stack.ts";
import { startPacedTraffic } from "./paced.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const { promise: opened, resolve } = Promise.withResolvers<Cluster>();
const stack = await startStack({
  nats: async (directory) => {
    const cluster = await openCluster(directory);
    resolve(cluster);
    return cluster;
  },
});
const cluster = await opened;
afterAll(() => stack.stop());

/** How often a server is lost, for figures: `ROUNDS=10 vitest run faults/cluster.test.ts`. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const PER_SECOND = 40;
/** NATS elects a leader four to nine seconds after the last was heard of; the slowest of several streams decides. */
const STANDSTILL_MAX_MS = 15_000;

test("a server of the cluster that is killed, and one that loses its disk, lose and double nothing", async () => {
  const traffic = await openTraffic(stack);
  const paced = startPacedTraffic(stack, traffic, { perSecond: PER_SECOND });
  for (let round = 0; round < ROUNDS; round++) {
    const killed = cluster.node(await leaderOf(streamName(transferReceived.from, "live")));
    const first = await paced.standstillDuring(() => killed.kill());
    await killed.start();
    await untilCopied();
    const lost = cluster.node(await leaderOf(streamName(collectionSucceeded.from, "live")));
    const second = await paced.standstillDuring(async () => {
      await lost.kill();
      await lost.removeDisk();
    });
    await lost.start();
    await untilCopied();
    process.stdout.write(`${JSON.stringify({ round, killed: first, lost: second })}\n`);
    for (const { gapMs } of [first, second]) expect(gapMs).toBeLessThan(STANDSTILL_MAX_MS);
  }
  await paced.stop();
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
});

async function leaderOf(stream: string): Promise<string> {
  const { cluster: peers } = await stack.bus.manager.streams.info(stream);
  return peers?.leader ?? "";
}

/** Every stream and durable is on three servers again. */
const untilCopied = () =>
  until(
    "all servers have all streams",
    async () => {
      for await (const { cluster: peers } of stack.bus.manager.streams.list())
        if (peers?.replicas?.filter(({ current }) => current).length !== 2) return false;
      return true;
    },
    60_000,
  );
