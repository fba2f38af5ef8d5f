import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Stack } from "../stack.ts";
import { startBareChain } from "./bare-chain/start.ts";
import { measureCheckoutPage } from "./checkout-page.ts";
import { openReceiver } from "./flights.ts";
import { measureLedger } from "./ledger.ts";
import { measureLists } from "./lists.ts";
import { measureMemory } from "./memory.ts";
import { measureMerchantApi } from "./merchant-api.ts";
import { measureOutage, type OutageFigures } from "./outage.ts";
import { ACCOUNTS, openLiveAccounts, startProduct } from "./product.ts";
import { printProfile, profiling } from "./profile.ts";
import { type Figures, printTable, ratiosOf } from "./report.ts";
import { measureRoad, type RoadFigures } from "./road.ts";
import { withServers } from "./servers.ts";

/**
 * npm run bench: figures of one run on one machine, beside yardsticks that ran minutes before on the same one.
 * Nothing here fails because it was slow; it fails when something that was taken in does not arrive.
 */

const PARTS = ["ledger", "chain", "door", "outage", "gateway", "page", "memory", "lists"] as const;
type Part = (typeof PARTS)[number];
const RESULT = join(import.meta.dirname, "../../.local/bench.json");
const USAGE = `usage: npm run bench -- [--only ${PARTS.join("|")}] [--seconds N (1 to 120: end to end at saturation, 30)] [--profile]
       npm run bench -- --only lists [--against DIRECTORY (a checkout of an earlier release with its dependencies, asked first)]`;

const { only, seconds, profile, against } = readArguments();
// Everything is kept below one directory, which is gone when the bench is, however it ends; so are the processes, by themselves.
const scratch = mkdtempSync(join(tmpdir(), "collect-bench-"));
process.env.TMPDIR = scratch;
process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const figures: Figures = {
  at: new Date().toISOString(),
  machine: {
    processors: cpus().length,
    model: cpus()[0]?.model ?? "",
    memory_gb: totalmem() / 1024 ** 3,
    kernel: release(),
    node: process.version,
  },
};
for (const part of PARTS) {
  // Lists are filled for minutes, so they are measured by themselves.
  if (only ? only !== part : part === "lists") continue;
  console.log(`• ${part}`);
  await measure(part);
}
printTable(figures);
await mkdir(join(RESULT, ".."), { recursive: true });
await writeFile(RESULT, `${JSON.stringify({ ...figures, ratios: ratiosOf(figures) }, null, 2)}\n`);
console.log("\nwritten to .local/bench.json");
process.exit(0);

async function measure(part: Part): Promise<void> {
  if (part === "ledger") {
    await withServers(async ({ databaseUrl }) => {
      Object.assign(figures, await measureLedger(databaseUrl, seconds / 8));
    });
  }
  if (part === "chain") figures.chain = await measureBareChain();
  if (part === "door") figures.door = await measureProduct();
  if (part === "outage") figures.outage = await measureAfterOutage();
  if (part === "gateway") figures.merchantApi = await withProduct((stack) => measureMerchantApi(stack, seconds / 4));
  if (part === "page") figures.checkoutPage = await withProduct(measureCheckoutPage);
  if (part === "memory") figures.memoryMb = await measureMemory();
  if (part === "lists") figures.lists = await withServers((servers) => measureLists(servers, against));
}

function measureBareChain(): Promise<RoadFigures> {
  return withServers(async (servers) => {
    const receiver = await openReceiver();
    const chain = await startBareChain({ ...servers, hookUrl: receiver.url });
    try {
      const accounts = Array.from({ length: ACCOUNTS }, (_, n) => String(1_000_000_000 + n));
      return await measureRoad({ door: chain.door, accounts, flights: receiver.flights }, seconds / 2);
    } finally {
      await chain.stop();
      await receiver.close();
    }
  });
}

function measureProduct(): Promise<RoadFigures> {
  return withProduct(async (stack) => {
    const receiver = await openReceiver();
    try {
      const accounts = await openLiveAccounts(stack, receiver.url);
      const road = { door: stack.bankDoor, accounts, flights: receiver.flights };
      const measured = await measureRoad(road, seconds);
      if (profile) await printProfile(stack);
      return measured;
    } finally {
      await receiver.close();
    }
  });
}

function measureAfterOutage(): Promise<OutageFigures> {
  return withProduct(async (stack) => {
    const receiver = await openReceiver();
    try {
      const accounts = await openLiveAccounts(stack, receiver.url);
      return await measureOutage(stack, { door: stack.bankDoor, accounts, flights: receiver.flights }, seconds);
    } finally {
      await receiver.close();
    }
  });
}

async function withProduct<Result>(work: (stack: Stack) => Promise<Result>): Promise<Result> {
  const stack = await startProduct(profile ? profiling() : {});
  try {
    return await work(stack);
  } finally {
    await stack.stop();
  }
}

function readArguments(): { only: Part | undefined; seconds: number; profile: boolean; against: string | undefined } {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        seconds: { type: "string", default: "30" },
        profile: { type: "boolean", default: false },
        against: { type: "string" },
      },
    });
    const only = PARTS.find((part) => part === values.only);
    const seconds = Number(values.seconds);
    if (values.only && !only) throw new Error(`there is no part ${values.only}`);
    if (!(seconds >= 1 && seconds <= 120)) throw new Error(`${values.seconds} is not a number of seconds`);
    const against = values.against && resolve(values.against);
    return { only, seconds, profile: values.profile, against };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}
