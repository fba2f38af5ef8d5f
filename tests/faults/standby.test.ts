import { MONEY_SERVICES } from "@collect/contracts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openReplicated, type Replicated } from "../stack/standby.ts";
import { startStack } from "../stack.ts";
import { startPacedTraffic } from "./paced.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const { promise: opened, resolve } = Promise.withResolvers<Replicated>();
const stack = await startStack({
  openPostgres: async (directory, { tree }) => {
    const postgres = await openReplicated(directory, tree);
    resolve(postgres);
    return postgres;
  },
});
const postgres = await opened;
afterAll(() => stack.stop());

const PER_SECOND = 40;
const STANDSTILL_MAX_MS = 20_000;

test("a primary that is killed while transfers flow, and replaced by its synchronous standby, loses nothing", async () => {
  const traffic = await openTraffic(stack);
  const paced = startPacedTraffic(stack, traffic, { perSecond: PER_SECOND });
  onTestFinished(paced.stop);
  const gapMs = await paced.standstillDuring(() => postgres.failOver());
  if (process.env.CLUSTER_ROUNDS) process.stdout.write(`standstill ${gapMs} ms\n`);
  expect(gapMs).toBeLessThan(STANDSTILL_MAX_MS);
  await paced.stop();
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
  // No service found its database to be older than what the others know of it.
  for (const service of MONEY_SERVICES) {
    const { rowCount } = await stack.database(service).query("select 1 from recoveries");
    expect([service, rowCount]).toEqual([service, 0]);
  }
});
