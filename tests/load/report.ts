import type { PageFigures } from "./checkout-page.ts";
import type { PathFigures } from "./end-to-end.ts";
import type { HeldFigures } from "./held.ts";
import type { LedgerFigures } from "./ledger.ts";
import { type ListFigures, type ListsFigures, slowest } from "./lists.ts";
import type { MerchantApiFigures } from "./merchant-api.ts";
import type { OutageFigures } from "./outage.ts";
import type { Rates } from "./postings.ts";
import type { ReplicaFigures } from "./replicas.ts";
import type { SizeFigures } from "./size.ts";
import { type StatementFigures, statementRows } from "./statements.ts";

/** The figures of one run; a skipped section is absent. */
export type Figures = Partial<LedgerFigures> & {
  at: string;
  machine: Record<string, string | number>;
  leftOut: { section: string; reason: string }[];
  chain?: PathFigures;
  door?: PathFigures;
  outage?: OutageFigures;
  merchantApi?: MerchantApiFigures;
  checkoutPage?: PageFigures;
  lists?: ListsFigures;
  held?: HeldFigures;
  replicas?: ReplicaFigures;
  size?: SizeFigures;
  statements?: StatementFigures;
  /** Proportional set size by process. */
  memoryMb?: Record<string, number>;
};

/** A figure and its aim. A missed aim is reported, not failed: machines are shared and noisy. */
type Ratio = { what: string; value: number; unit: string; aim: string; met: boolean };

export function ratiosOf({
  plainSql,
  postings,
  chain,
  door,
  outage,
  checkoutPage,
  memoryMb,
  held,
  size,
}: Figures): Ratio[] {
  const ratios: Ratio[] = [];
  const add = (what: string, value: number, unit: string, aim: ["at least" | "at most", number]) => {
    const [direction, bound] = aim;
    const met = direction === "at least" ? value >= bound : value <= bound;
    ratios.push({ what, value, unit, aim: `${direction} ${bound}${unit}`, met });
  };
  if (postings && plainSql) {
    add("ledger at 200 a batch / plain SQL, hot", postings.batch200.hot / plainSql.hot, " ×", ["at least", 8]);
    add("ledger at 200 a batch / plain SQL, 1,000", postings.batch200.spread / plainSql.spread, " ×", ["at least", 8]);
  }
  if (door && chain) {
    const share = (100 * door.collectionsPerSecond) / chain.collectionsPerSecond;
    add("end to end / bare chain", share, " %", ["at least", 75]);
  }
  if (door && plainSql)
    add("end to end / plain SQL, 1,000", door.collectionsPerSecond / plainSql.spread, " ×", ["at least", 1]);
  if (door) {
    add("end to end at a quarter, p50", door.quarter.p50Ms, " ms", ["at most", 15]);
    add("end to end at a quarter, p99", door.quarter.p99Ms, " ms", ["at most", 60]);
    const { load: _, ...processes } = door.processorUs;
    add("processor time of a collection", total(processes), " µs", ["at most", 560]);
  }
  if (outage) {
    const share = (rate: number) => (100 * rate) / outage.bestPerSecond;
    add("after an outage, first 5 s / best rate", share(outage.firstPerSecond), " %", ["at least", 80]);
    add("after an outage, mean / best rate", share(outage.meanPerSecond), " %", ["at least", 80]);
    add("after an outage, most memory of a service", mostOfServices(outage.peakMb), " MB", ["at most", 400]);
  }
  if (held) {
    const { alone, besideHeld, besideRelease } = held.others;
    const { count, withinAFifth } = held.release.estimates;
    add("others beside a held endpoint, p99", besideHeld.p99Ms / alone.p99Ms, " ×", ["at most", 1.5]);
    add("others beside its release, p99", besideRelease.p99Ms / alone.p99Ms, " ×", ["at most", 5]);
    add("events lost by the release", held.release.lost, "", ["at most", 0]);
    add("estimates within a fifth", (100 * withinAFifth) / count, " %", ["at least", 90]);
  }
  if (size) {
    const rate = (runs: SizeFigures["full"]) => total(runs.map(({ collectionsPerSecond }) => collectionsPerSecond));
    add("full databases / empty ones", (100 * rate(size.full)) / rate(size.empty), " %", ["at least", 90]);
  }
  if (checkoutPage) {
    add("the checkout page", checkoutPage.weightBytes / 1_000, " kB", ["at most", 60]);
    add("its first paint on a slow phone", checkoutPage.firstPaintMs.slowPhone, " ms", ["at most", 1_000]);
  }
  if (memoryMb) add("the idle stack", total(memoryMb), " MB", ["at most", 700]);
  return ratios;
}

export function printTable(figures: Figures): void {
  const { plainSql, postings, chain, door, outage, merchantApi, checkoutPage, memoryMb, lists, held, replicas, size } =
    figures;
  if (postings || plainSql) heading("Postings a second", "one hot merchant", "1,000 merchants");
  if (plainSql) rates(`plain SQL (${plainSql.connections.hot}/${plainSql.connections.spread} connections)`, plainSql);
  for (const [batch, rate] of Object.entries(postings ?? {}))
    rates(batch.replace("batch", "ledger, batches of "), rate);
  if (chain || door) heading("Bank door to webhook", "collections/s", "at a quarter: p50", "p99");
  if (chain) path("bare chain", chain);
  if (door) path("the product", door);
  if (chain || door) heading("Processor time a collection, µs", "bare chain", "the product");
  if (outage) printOutage(outage);
  const names = new Set([...Object.keys(chain?.processorUs ?? {}), ...Object.keys(door?.processorUs ?? {})]);
  for (const name of names) row(name, count(chain?.processorUs[name]), count(door?.processorUs[name]));
  if (merchantApi) {
    heading("Merchant API", "calls/s", "p50", "p99");
    for (const [what, { perSecond, p50Ms, p99Ms }] of [
      ["POST /customer_accounts", merchantApi.issue],
      ["GET /customer_accounts/{ref}", merchantApi.get],
      ["POST /payments, a thousand prices", merchantApi.open],
      ["POST /payments, all of one price", merchantApi.openOnePrice],
      [`GET /checkout/{ref}, ${merchantApi.poll.pollers} payers`, merchantApi.poll],
    ] as const)
      row(what, count(perSecond), ms(p50Ms), ms(p99Ms));
    row("  for which payments was asked, times a second", merchantApi.poll.readsOfPaymentsPerSecond.toFixed(2));
  }
  if (checkoutPage) {
    const { weightBytes, requests, firstPaintMs } = checkoutPage;
    heading("Checkout page, first visit", "kB", "requests", "first paint");
    row("here", (weightBytes / 1_000).toFixed(1), count(requests), ms(firstPaintMs.here));
    row("on a slow phone", "", "", ms(firstPaintMs.slowPhone));
  }
  if (memoryMb) {
    heading("Idle stack, proportional set size", "MB");
    for (const [name, megabytes] of Object.entries(memoryMb)) row(name, count(megabytes));
    row("together", count(total(memoryMb)));
  }
  if (lists) printLists(lists);
  if (held) printHeld(held);
  if (replicas) printReplicas(replicas);
  if (size) printSize(size);
  if (figures.statements) heading(`A month of a bank, ${count(figures.statements.lines)} lines`);
  for (const [what, value, unit] of statementRows(figures.statements)) row(what, `${count(value)}${unit}`);
  const ratios = ratiosOf(figures);
  if (ratios.length > 0) heading("Aims", "this run", "aim");
  for (const { what, value, unit, aim, met } of ratios)
    row(what, `${value >= 100 ? value.toFixed(0) : value.toFixed(1)}${unit}`, aim, met ? "met" : "NOT met");
  if (figures.leftOut.length > 0) heading("Left out, and why");
  for (const { section, reason } of figures.leftOut) console.log(section.padEnd(12) + reason);
}

function printOutage({ outageSeconds, waiting, peakMb, ...rates }: OutageFigures): void {
  heading(`Ledger away for ${outageSeconds} s, ${waiting.toLocaleString("en")} waiting`, "collections/s");
  row("before, flat out", count(rates.bestPerSecond));
  row("after it, the first five seconds", count(rates.firstPerSecond));
  row("the slowest tenth of all seconds", count(rates.slowestPerSecond));
  row("mean", count(rates.meanPerSecond));
  row("worked off after", `${rates.recoveredAfterSeconds.toFixed(0)} s`);
  heading("Most memory a process ever had", "MB");
  for (const [name, megabytes] of Object.entries(peakMb)) row(name, count(megabytes));
}

function printHeld({ waiting, attempts, others, release }: HeldFigures): void {
  heading(`One endpoint held with ${waiting.toLocaleString("en")} events, 99 others`, "p50", "p99");
  row("the others, before", ms(others.alone.p50Ms), ms(others.alone.p99Ms));
  row("while it is held", ms(others.besideHeld.p50Ms), ms(others.besideHeld.p99Ms));
  row("while it is released", ms(others.besideRelease.p50Ms), ms(others.besideRelease.p99Ms));
  heading("Its release", "this run");
  row("attempts while it was held", count(attempts));
  row("released in", `${release.seconds.toFixed(1)} s`);
  row("events/s", count(release.perSecond));
  row("an event was overtaken by, at most", count(release.overtakenBy));
  row("estimates of the time left", count(release.estimates.count));
  row("wrong on average by", `${(100 * release.estimates.meanError).toFixed(0)} %`);
  row("the worst was wrong by", `${(100 * release.estimates.worstError).toFixed(0)} %`);
}

function printSize({
  size,
  empty,
  full,
  stored,
  lists,
  settlement,
  ledgerRound,
  history,
  vacuumed,
  backup,
}: SizeFigures): void {
  heading(`${count(size.collections)} collections`, "collections/s", "p50", "p99", "WAL, bytes", "pages read");
  const runs = Object.entries({ empty, full }).flatMap(([name, each]) => each.map((run) => ({ name, ...run })));
  for (const { name, collectionsPerSecond, quarter, walBytes, read } of runs)
    row(name, count(collectionsPerSecond), ms(quarter.p50Ms), ms(quarter.p99Ms), count(walBytes), read.toFixed(2));
  heading("Processor time a collection, µs", "postgres", "together");
  for (const { name, processorUs } of runs) row(name, count(processorUs.postgres), count(total(processorUs)));
  const each = (bytes: number) => (bytes / size.collections).toFixed(1);
  heading("Bytes a collection", "table", "indexes", "rows");
  for (const { service, table, bytes, indexes, rows } of stored)
    row(`${service}: ${table}`, each(bytes), each(total(indexes)), count(rows));
  heading("Its indexes", "bytes a collection");
  for (const [name, bytes] of stored
    .flatMap(({ indexes }) => Object.entries(indexes))
    .filter(([, bytes]) => bytes > size.collections))
    row(name.slice(0, 60).padEnd(60), each(bytes));
  heading("Work", "seconds", "rows");
  row(`settlement of ${settlement.merchants} merchants`, settlement.seconds.toFixed(1));
  row("the ledger's proof of everything", ledgerRound.seconds.toFixed(1), count(ledgerRound.rows));
  row("comparison of the whole history", history.seconds.toFixed(1), count(history.rows));
  for (const { service, table, dead, seconds } of vacuumed)
    row(`vacuum ${service}: ${table}`, seconds.toFixed(1), `${count(dead)} dead`);
  row(`base backup, ${(backup.bytes / 1e9).toFixed(1)} GB`, backup.seconds.toFixed(1));
  printLists({ rows: size.collections, now: lists });
}

/** The slowest cell of each list, of the earlier release and of this one. */
function printLists({ before, now }: ListsFigures): void {
  const cells = (figures: ListFigures | undefined) => {
    if (!figures) return [];
    const { p50Ms, worstMs } = slowest(figures);
    return [ms(p50Ms), ms(worstMs), ms(figures.processorMs)];
  };
  const heads = ["p50", "worst", "processor"];
  heading("Lists", ...(before ? heads.map((head) => `before: ${head}`) : []), ...heads);
  for (const [at, figures] of now.entries()) row(figures.name, ...cells(before?.[at]), ...cells(figures));
}

/** Each compared with one replica. */
function printReplicas(figures: ReplicaFigures): void {
  heading("Replicas with a share of a processor each", "callers", "a second", "of one", "its CPU a call");
  for (const { what, replicas, callers, perSecond, processorUs } of figures) {
    const one = figures.find((other) => other.what === what);
    const times = `${(perSecond / (one?.perSecond ?? Number.NaN)).toFixed(1)} ×`;
    row(`${what}, ${replicas}`, count(callers), count(perSecond), times, `${count(processorUs)} µs`);
  }
}

const mostOfServices = ({ postgres: _, "nats-server": __, others: ___, ...services }: Record<string, number>): number =>
  Math.max(...Object.values(services));

function heading(...cells: string[]): void {
  console.log("");
  const [first = "", ...rest] = cells;
  row(first, ...rest);
  console.log("─".repeat(92));
}

function row(first: string, ...cells: string[]): void {
  console.log(first.padEnd(44) + cells.map((cell) => cell.padStart(16)).join(""));
}

const rates = (what: string, { hot, spread }: Rates) => row(what, count(hot), count(spread));
const path = (what: string, { collectionsPerSecond, quarter }: PathFigures) =>
  row(what, count(collectionsPerSecond), ms(quarter.p50Ms), ms(quarter.p99Ms));
const count = (value: number | undefined) => (value === undefined ? "" : Math.round(value).toLocaleString("en"));
const ms = (value: number) => `${value.toFixed(1)} ms`;
const total = (parts: Record<string, number> | number[]) => Object.values(parts).reduce((sum, part) => sum + part, 0);
