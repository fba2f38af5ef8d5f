import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Stack } from "../stack.ts";
import { startBareChain } from "./bare-chain/start.ts";
import { measureCheckoutPage } from "./checkout-page.ts";
import { measurePath, type PathFigures } from "./end-to-end.ts";
import { measureHeld } from "./held.ts";
import { measureLedger } from "./ledger.ts";
import { measureLists } from "./lists.ts";
import { measureMemory } from "./memory.ts";
import { measureMerchantApi } from "./merchant-api.ts";
import { measureOutage, type OutageFigures } from "./outage.ts";
import { endDescendants } from "./processes.ts";
import { ACCOUNTS, openLiveAccounts, startProduct } from "./product.ts";
import { printProfile, profiling } from "./profile.ts";
import { measureReplicas } from "./replicas.ts";
import { type Figures, printTable, ratiosOf } from "./report.ts";
import { measureSections, reasonOf, type Section } from "./sections.ts";
import { withServers } from "./servers.ts";
import { measureSize } from "./size.ts";
import { measureStatements } from "./statements.ts";
import { openReceiver } from "./transfer-tracker.ts";

/**
 * npm run bench: figures of one run on one machine, beside baselines measured minutes before on the same machine.
 * Nothing fails for being slow. A section fails if something that was accepted does not arrive, or if it cannot run on this
 * machine. A failed section is skipped, the others are measured and printed, and the bench exits with 1.
 */

const SECTIONS: Section[] = [
  { name: "ledger", measure: () => withServers(({ databaseUrl }) => measureLedger(databaseUrl, seconds / 8)) },
  { name: "chain", measure: async () => ({ chain: await measureBareChain() }) },
  { name: "door", measure: async () => ({ door: await measureProduct() }) },
  { name: "outage", measure: async () => ({ outage: await measureAfterOutage() }) },
  {
    name: "gateway",
    measure: async () => ({ merchantApi: await withProduct((stack) => measureMerchantApi(stack, seconds / 4)) }),
  },
  { name: "page", measure: async () => ({ checkoutPage: await withProduct(measureCheckoutPage) }) },
  {
    name: "statements",
    measure: async () => ({
      statements: await withServers(({ databaseUrl }) => measureStatements(databaseUrl, lines)),
    }),
  },
  { name: "memory", measure: async () => ({ memoryMb: await measureMemory() }) },
  // Filling the backlog takes a minute.
  { name: "held", byItself: true, measure: async () => ({ held: await withProduct(measureHeld) }) },
  // Four stacks, each measured several times.
  { name: "replicas", byItself: true, measure: async () => ({ replicas: await measureReplicas(seconds / 4) }) },
  // Filling the lists takes minutes, so they are measured only when named.
  {
    name: "lists",
    byItself: true,
    measure: async () => ({ lists: await withServers((servers) => measureLists(servers, against)) }),
  },
  // Filling the databases takes a quarter of an hour and four kilobytes a collection.
  {
    name: "size",
    byItself: true,
    measure: async () => ({ size: await measureSize({ collections, seconds: seconds / 2 }) }),
  },
];
const NAMES = SECTIONS.map(({ name }) => name);
const RESULT = join(import.meta.dirname, "../../.local/bench.json");
const USAGE = `usage: npm run bench -- [--only ${NAMES.join("|")}] [--seconds N (1 to 120: end to end at saturation, 30)] [--profile]
       npm run bench -- --only lists [--against DIRECTORY (a checkout of an earlier release with its dependencies, measured first)]
       npm run bench -- --only size [--collections N (those in the databases; 10,000,000)]
       npm run bench -- --only statements [--lines N (about so many of a month; 100,000)]`;

const { only, seconds, profile, against, collections, lines } = readArguments();
// All files are in one directory, which is deleted however the bench ends.
const scratch = mkdtempSync(join(tmpdir(), "collect-bench-"));
process.env.TMPDIR = scratch;
process.on("exit", () => {
  endDescendants();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});
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
  leftOut: [],
};
// An error that no section catches ends the bench; the figures measured so far are printed.
process.once("uncaughtException", (error) => {
  figures.leftOut.push({ section: "the rest", reason: reasonOf(error) });
  finish();
});
await measureSections(
  SECTIONS.filter(({ name, byItself }) => (only ? only === name : !byItself)),
  { figures, announce: (section) => console.log(`• ${section}`) },
);
finish();

function finish(): never {
  printTable(figures);
  mkdirSync(join(RESULT, ".."), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify({ ...figures, ratios: ratiosOf(figures) }, null, 2)}\n`);
  console.log("\nwritten to .local/bench.json");
  process.exit(figures.leftOut.length > 0 ? 1 : 0);
}

function measureBareChain(): Promise<PathFigures> {
  return withServers(async (servers) => {
    const receiver = await openReceiver();
    const chain = await startBareChain({ ...servers, hookUrl: receiver.url });
    try {
      const accounts = Array.from({ length: ACCOUNTS }, (_, n) => String(1_000_000_000 + n));
      return await measurePath({ door: chain.door, accounts, tracker: receiver.tracker }, seconds / 2);
    } finally {
      await chain.stop();
      await receiver.close();
    }
  });
}

function measureProduct(): Promise<PathFigures> {
  return withProduct(async (stack) => {
    const receiver = await openReceiver();
    try {
      const accounts = await openLiveAccounts(stack, receiver.url);
      const path = { door: stack.bankDoor, accounts, tracker: receiver.tracker };
      const measured = await measurePath(path, seconds);
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
      return await measureOutage(stack, { door: stack.bankDoor, accounts, tracker: receiver.tracker }, seconds);
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

function readArguments(): {
  only: string | undefined;
  seconds: number;
  profile: boolean;
  against: string | undefined;
  collections: number;
  lines: number;
} {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        seconds: { type: "string", default: "30" },
        profile: { type: "boolean", default: false },
        against: { type: "string" },
        collections: { type: "string", default: "10000000" },
        lines: { type: "string", default: "100000" },
      },
    });
    const only = values.only;
    const seconds = Number(values.seconds);
    if (only && !NAMES.includes(only)) throw new Error(`there is no section ${only}`);
    if (!(seconds >= 1 && seconds <= 120)) throw new Error(`${values.seconds} is not a number of seconds`);
    const collections = Number(values.collections);
    if (!(collections >= 3_000)) throw new Error(`${values.collections} is not a number of collections from 3000 on`);
    const lines = Number(values.lines);
    // A file has at most 50,000 lines, and the month thirty files.
    if (!(lines >= 1_000 && lines <= 1_200_000))
      throw new Error(`${values.lines} is not a number of lines from 1000 to 1200000`);
    const against = values.against && resolve(values.against);
    return { only, seconds, profile: values.profile, against, collections, lines };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}
