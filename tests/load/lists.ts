import { join, relative } from "node:path";
import type { Bus } from "@collect/bus";
import { Problem } from "@collect/contracts";
import { migrate, openLogin, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { connectAsOthers } from "@collect/testing";
import { planProcesses, stackLogin } from "../stack/plans.ts";
import { ROOT, type Service, startService } from "../stack/service.ts";
import { LISTS_BY_KEY } from "./lists-by-key.ts";
import { LIST_CASES, type ListCase } from "./lists-cases.ts";
import { count, FILLED, fill, MERCHANTS, type MerchantSize, ROWS } from "./lists-fill.ts";
import { WEBHOOK_LISTS } from "./lists-of-webhooks.ts";
import { SEARCHES } from "./lists-search.ts";
import { SUMS } from "./lists-sums.ts";
import { processorClock } from "./processes.ts";

/** Milliseconds from the request on the bus to its response. */
export type ListTimes = { bestMs: number; p50Ms: number; worstMs: number };
/**
 * The times of each merchant's first page and of a deep page, keyed by `big, first page` and so on; and the mean processor time
 * of a request, of its service and PostgreSQL together.
 */
export type ListFigures = { name: string; processorMs: number; cells: Record<string, ListTimes> };
export type ListsFigures = { rows: number; before?: ListFigures[]; now: ListFigures[] };

type Servers = { directory: string; databaseUrl: string; natsUrl: string };

/**
 * Every list with every filter, requested from the services as the dashboard and the gateway do, on tables of a million rows. `against` is a
 * checkout of an earlier release, which is measured first, on the same rows before this release's migrations.
 */
export async function measureLists(servers: Servers, against: string | undefined): Promise<ListsFigures> {
  const checkout = against ?? ROOT;
  for (const service of FILLED) {
    const { owner } = await provision(servers.databaseUrl, service);
    await migrate({ url: owner, directory: prismaOf(checkout, service) });
    const began = performance.now();
    await fill(owner, service);
    console.log(`  ${service}: ${ROWS.toLocaleString("en")} rows a table in ${seconds(began)} s`);
  }
  const before = against ? await measureCheckout(servers, against) : undefined;
  const now = await measureCheckout(servers, ROOT);
  return { rows: ROWS, ...(before && { before }), now };
}

const prismaOf = (checkout: string, service: string) => join(checkout, "services", service, "prisma");
const seconds = (began: number) => ((performance.now() - began) / 1_000).toFixed(0);

/** Measures the services of one checkout, which are started for it and then stopped. */
export async function measureCheckout(servers: Servers, checkout: string): Promise<ListFigures[]> {
  for (const service of FILLED) {
    const { owner } = await provision(servers.databaseUrl, service);
    await openLogin(servers.databaseUrl, service, stackLogin(service));
    await migrate({ url: owner, directory: prismaOf(checkout, service) });
    await count(owner);
  }
  const { plans } = await planProcesses({
    postgresUrl: servers.databaseUrl,
    natsUrl: servers.natsUrl,
    logLevel: "info",
  });
  const started: Service[] = [];
  try {
    for (const plan of plans.filter(({ name }) => FILLED.includes(name)))
      started.push(
        await startService(
          { ...plan, folder: relative(ROOT, join(checkout, plan.folder)) },
          // The audit would report many differences in these rows.
          { directory: servers.directory, env: { AUDIT_EVERY_MS: "60000" } },
        ),
      );
    const bus = await connectAsOthers({ url: servers.natsUrl, log: createLogger("bench", "silent") });
    try {
      return await measureCases(bus, { cases: ALL, sizes: Object.keys(MERCHANTS) as MerchantSize[] });
    } finally {
      await bus.close();
    }
  } finally {
    for (const { kill9 } of started) await kill9();
  }
}

export const ALL = [...LIST_CASES, ...WEBHOOK_LISTS, ...SUMS, ...LISTS_BY_KEY, ...SEARCHES];

export async function measureCases(
  bus: Bus,
  { cases, sizes }: { cases: ListCase[]; sizes: MerchantSize[] },
): Promise<ListFigures[]> {
  const figures: ListFigures[] = [];
  for (const listCase of cases) {
    const cells: ListFigures["cells"] = {};
    const clock = processorClock();
    for (const size of sizes) {
      cells[`${size}, first page`] = await measureCell(bus, listCase, size);
      if (listCase.deep) cells[`${size}, deep page`] = await measureCell(bus, listCase, size, listCase.deep);
    }
    const { load: _, "nats-server": __, ...taken } = clock(Object.keys(cells).length * (WARM_UP + TIMES));
    const processorMs = Object.values(taken).reduce((sum, microseconds) => sum + microseconds, 0) / 1_000;
    figures.push({ name: listCase.name, processorMs, cells });
  }
  return figures;
}

/** Enough for connections to open, and for the server to choose the plan of a prepared statement (after five executions). */
const WARM_UP = 7;
const TIMES = 15;
/** A request that takes this long is not repeated. */
const TOO_SLOW_MS = 1_000;

async function measureCell(bus: Bus, listCase: ListCase, size: MerchantSize, after?: string): Promise<ListTimes> {
  const merchant = { id: MERCHANTS[size], mode: "live" as const, name: "Stores" };
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + TIMES; n++) {
    const ms = await timeOf(listCase, () => listCase.ask(bus, merchant, after));
    // The first request opens a connection and compiles the client.
    const isTooSlow = n > 0 && ms > TOO_SLOW_MS;
    if (n >= WARM_UP || isTooSlow) times.push(ms);
    if (isTooSlow) break;
  }
  times.sort((a, b) => a - b);
  return { bestMs: times[0] ?? 0, p50Ms: times[Math.floor(times.length / 2)] ?? 0, worstMs: times.at(-1) ?? 0 };
}

/** A request that exceeds its deadline counts with the time of the deadline. */
async function timeOf({ name }: ListCase, ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Problem && error.code === "service_unavailable")) throw new Error(name, { cause: error });
  }
  return performance.now() - began;
}

/** A list's slowest cell, by its median. */
export function slowest({ cells }: ListFigures): ListTimes & { cell: string } {
  const [first] = Object.entries(cells).sort(([, a], [, b]) => b.p50Ms - a.p50Ms);
  const [cell = "", times = { bestMs: 0, p50Ms: 0, worstMs: 0 }] = first ?? [];
  return { cell, ...times };
}
