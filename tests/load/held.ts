import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getWebhookHealth, type MerchantScope, resumeWebhookEndpoint } from "@collect/contracts";
import type { Stack } from "../stack.ts";
import { openTarget, pace, percentile, saturate } from "./driver.ts";
import { type Path, reportOf } from "./end-to-end.ts";
import { aBusyMerchant, openAccount, openLiveAccounts } from "./product.ts";
import { openReceiver } from "./transfer-tracker.ts";

/** One endpoint that fails with a backlog, while others get their events: their latency, and how the backlog is released. */
export type HeldFigures = {
  waiting: number;
  /** Attempts at the failing endpoint until all of them waited. */
  attempts: number;
  /** Milliseconds from the bank door to the other receivers. */
  others: Record<"alone" | "besideHeld" | "besideRelease", { p50Ms: number; p99Ms: number }>;
  release: {
    seconds: number;
    perSecond: number;
    lost: number;
    /** How many events an event was overtaken by, at most; a batch has 256. */
    overtakenBy: number;
    /** The estimates of the time left, against the time that it took, while a tenth to nine tenths were released. */
    estimates: { count: number; withinAFifth: number; worstError: number; meanError: number };
  };
};

const WAITING = 50_000;
const OTHERS = 99;
const PER_SECOND = 200;
const CONNECTIONS = 64;
const SECONDS = 15;
/** As a page would: each reading counts what waits. */
const ESTIMATE_EVERY_MS = 1_500;
/** So many at a time are sent to the bank door and not yet recorded. */
const RECORDING_MAX = 2_000;

export async function measureHeld(stack: Stack): Promise<HeldFigures> {
  const [receiver, failing] = [await openReceiver(), await openFailingReceiver()];
  const target = openTarget(stack.bankDoor.url, CONNECTIONS);
  try {
    const accounts = await openLiveAccounts(stack, receiver.url, OTHERS);
    const path: Path = { door: stack.bankDoor, accounts, tracker: receiver.tracker };
    const others = async (while_: () => boolean) => measureOthers(path, target, while_);
    const merchant = await aBusyMerchant(stack, failing.url);
    const { account_number } = await openAccount(stack, merchant, "cust_held");
    const scope: MerchantScope = { id: merchant.id, mode: "live" };
    const forSeconds =
      (end = performance.now() + SECONDS * 1_000) =>
      () =>
        performance.now() < end;

    await others(forSeconds(performance.now() + 5_000));
    await settleDisk(stack);
    const alone = await others(forSeconds());
    await fill(stack, { path: { ...path, accounts: [account_number] }, target, scope });
    const attempts = failing.attempts();
    await settleDisk(stack);
    const besideHeld = await others(forSeconds());
    failing.recover();
    await stack.bus.request(resumeWebhookEndpoint, { merchant: scope });
    const [release, besideRelease] = await Promise.all([
      watchRelease(stack, scope, failing),
      others(() => failing.received.length < WAITING),
    ]);
    return { waiting: WAITING, attempts, others: { alone, besideHeld, besideRelease }, release };
  } finally {
    await target.close();
    await Promise.all([receiver.close(), failing.close()]);
  }
}

type Target = ReturnType<typeof openTarget>;

async function measureOthers(path: Path, target: Target, isGoing: () => boolean) {
  const { tracker } = path;
  const run = randomBytes(6).toString("hex");
  const first = tracker.started();
  const report = async () => {
    const status = await target.send(reportOf(path, run, tracker.start()));
    if (status !== 200) throw new Error(`the bank door answered ${status}`);
  };
  while (isGoing()) await pace({ perSecond: PER_SECOND, seconds: 1, work: report });
  const late = sleep(60_000, "late", { ref: false });
  if ((await Promise.race([tracker.belowLimit(1), late])) === "late")
    throw new Error("events of the others are missing");
  const latencies = tracker.latencies(first);
  return { p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
}

/** Reports transfers until so many events wait. */
async function fill(
  stack: Stack,
  { path, target, scope }: { path: Path; target: Target; scope: MerchantScope },
): Promise<void> {
  const run = randomBytes(6).toString("hex");
  let reported = 0;
  const recorded = async () => {
    const { rows } = await stack
      .database("webhooks")
      .query("select sequence::integer from counters where merchant_id = $1 and mode = 'live'", [scope.id]);
    return Number(rows[0]?.sequence ?? 0);
  };
  while (reported < WAITING) {
    const upTo = Math.min(WAITING, (await recorded()) + RECORDING_MAX);
    await saturate({
      workers: CONNECTIONS,
      seconds: 1,
      work: async () => {
        if (reported >= upTo) return sleep(10);
        if ((await target.send(reportOf(path, run, reported++))) !== 200) throw new Error("a report was refused");
      },
    });
  }
  while ((await holdOf(stack, scope))?.waiting !== WAITING) await sleep(200);
}

/** What was written before is on the disk: its cost would count for what is measured next. */
const settleDisk = (stack: Stack) => stack.database("webhooks").query("checkpoint");

async function holdOf(stack: Stack, merchant: MerchantScope) {
  return (await stack.bus.request(getWebhookHealth, { merchant })).hold;
}

async function watchRelease(
  stack: Stack,
  scope: MerchantScope,
  failing: FailingReceiver,
): Promise<HeldFigures["release"]> {
  const begun = performance.now();
  const told: { at: number; secondsLeft: number; share: number }[] = [];
  while (failing.received.length < WAITING) {
    const hold = await holdOf(stack, scope);
    if (hold && hold.seconds_left !== null)
      told.push({ at: performance.now(), secondsLeft: hold.seconds_left, share: hold.waiting / WAITING });
    if (performance.now() - begun > 900_000)
      throw new Error(`${WAITING - failing.received.length} events did not arrive`);
    await sleep(ESTIMATE_EVERY_MS);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const errors = told
    .filter(({ share }) => share >= 0.1 && share <= 0.9)
    .map(({ at, secondsLeft }) => {
      const left = seconds - (at - begun) / 1_000;
      return (secondsLeft - left) / left;
    });
  return {
    seconds,
    perSecond: WAITING / seconds,
    lost: WAITING - new Set(failing.received).size,
    overtakenBy: overtakenBy(failing.received),
    estimates: {
      count: errors.length,
      withinAFifth: errors.filter((error) => Math.abs(error) <= 0.2).length,
      worstError: Math.max(0, ...errors.map(Math.abs)),
      meanError: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    },
  };
}

/** The largest number of later events that arrived before an event. */
function overtakenBy(received: number[]): number {
  let [highest, most] = [0, 0];
  for (const sequence of received) {
    most = Math.max(most, highest - sequence);
    highest = Math.max(highest, sequence);
  }
  return most;
}

type FailingReceiver = Awaited<ReturnType<typeof openFailingReceiver>>;

/** A server across the internet takes so long at least, once it is up. */
const RESPONSE_MS = 20;

/** Answers 503 until it recovers; then it collects the sequence numbers in the order of their arrival, each once. */
async function openFailingReceiver() {
  let [attempts, isFailing] = [0, true];
  const seen = new Set<number>();
  const received: number[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      attempts++;
      const sequence = Number(request.headers["x-service-sequence"]);
      if (!isFailing && !seen.has(sequence)) {
        seen.add(sequence);
        received.push(sequence);
      }
      if (isFailing) response.writeHead(503).end();
      else setTimeout(() => response.writeHead(200).end(), RESPONSE_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    attempts: () => attempts,
    recover() {
      isFailing = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
