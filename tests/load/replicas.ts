import { randomBytes } from "node:crypto";
import type { Stack } from "../stack.ts";
import { type Call, openTarget, saturate } from "./driver.ts";
import { reportOf } from "./end-to-end.ts";
import { processorClock } from "./processes.ts";
import { limitProcessor } from "./processor-share.ts";
import { aBusyMerchant, openAccount, openLiveAccounts, startProduct } from "./product.ts";
import { openReceiver } from "./transfer-tracker.ts";

/** Calls a second, with so many callers altogether, and the processor time of the service per call in microseconds. */
type Measured = { replicas: number; callers: number; perSecond: number; processorUs: number };
export type ReplicaFigures = ({ what: string } & Measured)[];

const REPLICAS_MAX = 3;
const COMPILED_SECONDS = 10;
const WARM_UP_SECONDS = 3;
const MERCHANTS = 20;
/** How often a replica gets its share of a processor. */
const PERIOD_MS = 100;
/** Transfers on their way per caller of the bank door. */
const IN_FLIGHT_EACH = 4;

type Case = {
  what: string;
  callers: number;
  /** The next call, once it may be made. */
  next(callers: number): Promise<Call>;
  /** The number that are complete, of so many that were answered. */
  completed(answered: number): number;
  /** Where the calls go: to the replicas, or to a service in front of them. */
  urls(replicas: string[]): string[];
};

/**
 * What a second and a third replica bring. A replica may use this share of a processor only, so that neither the machine nor the
 * load generator is what limits three.
 */
const SERVICES = [
  { name: "gateway", share: 0.1, cases: (stack: Stack) => Promise.all([readsOf(stack, MERCHANTS), readsOf(stack, 1)]) },
  {
    name: "accounts",
    share: 0.04,
    cases: (stack: Stack, receiver: Receiver) =>
      Promise.all([transfers(stack, receiver), newAccountsOf(stack, MERCHANTS), newAccountsOf(stack, 1)]),
  },
] as const;
type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export async function measureReplicas(seconds: number): Promise<ReplicaFigures> {
  const figures: ReplicaFigures = [];
  for (const service of SERVICES) figures.push(...(await measureService(service, seconds)));
  return figures;
}

async function measureService(
  { name, share, cases }: (typeof SERVICES)[number],
  seconds: number,
): Promise<ReplicaFigures> {
  const stack = await startProduct();
  const receiver = await openReceiver();
  try {
    const figures: ReplicaFigures = [];
    const opened = await cases(stack, receiver);
    for (const replicas of [1, REPLICAS_MAX]) {
      const running = stack.service(name).replicas;
      while (running.length < replicas) await stack.service(name).addReplica();
      const urls = running.map(({ url }) => url);
      // A cold process spends most of a small share on compiling.
      for (const each of opened) await measure(name, each, { urls, callers: each.callers, seconds: COMPILED_SECONDS });
      const limits = running.map((each) => limitProcessor(each.pid(), { share, periodMs: PERIOD_MS }));
      try {
        figures.push(...(await measureCases({ name, opened, urls, seconds })));
      } finally {
        for (const limit of limits) limit.release();
      }
    }
    return figures;
  } finally {
    await receiver.close();
    await stack.stop();
  }
}

/** As many callers as one replica has, then as many for each: a caller that waits for its response is a limit of its own. */
async function measureCases({
  name,
  opened,
  urls,
  seconds,
}: {
  name: string;
  opened: readonly Case[];
  urls: string[];
  seconds: number;
}): Promise<ReplicaFigures> {
  const figures: ReplicaFigures = [];
  for (const each of opened)
    for (const callers of new Set([each.callers, each.callers * urls.length])) {
      const measured = await measure(name, each, { urls, callers, seconds });
      figures.push({ what: `${name}: ${each.what}`, replicas: urls.length, callers, ...measured });
    }
  return figures;
}

/** Reads through the gateway's replicas. A merchant's calls share the row of its budget. */
async function readsOf(stack: Stack, count: number): Promise<Case> {
  const merchants = await Promise.all(Array.from({ length: count }, () => aBusyMerchant(stack)));
  await Promise.all(merchants.map((merchant) => openAccount(stack, merchant, "cust_1")));
  const calls = merchants.map(({ keys }): Call => {
    const headers = { authorization: `Bearer ${keys.sk_live}` };
    return { method: "GET", path: "/v1/customer_accounts/cust_1", headers };
  });
  let made = 0;
  return {
    what: `reads of ${count}`,
    callers: 16,
    next: async () => calls[made++ % count] as Call,
    completed: (answered) => answered,
    urls: (replicas) => replicas,
  };
}

/** Through one gateway, which may use what it needs. */
async function newAccountsOf(stack: Stack, count: number): Promise<Case> {
  const merchants = await Promise.all(Array.from({ length: count }, () => aBusyMerchant(stack)));
  const run = randomBytes(4).toString("hex");
  const headers = merchants.map(({ keys }) => ({
    authorization: `Bearer ${keys.sk_test}`,
    "content-type": "application/json",
  }));
  let made = 0;
  return {
    what: `new accounts of ${count}`,
    callers: 16,
    async next() {
      const body = `{"customer_reference":"${run}:${made++}","customer_name":"Ada Obi"}`;
      return { method: "POST", path: "/v1/customer_accounts", headers: headers[made % count] ?? {}, body };
    },
    completed: (answered) => answered,
    urls: () => [new URL(stack.baseUrl).origin],
  };
}

/** From the replicas' bank doors to the merchants' webhooks. */
async function transfers(stack: Stack, { url, tracker }: Receiver): Promise<Case> {
  const path = { door: stack.bankDoor, accounts: await openLiveAccounts(stack, url), tracker };
  const run = randomBytes(6).toString("hex");
  return {
    what: "transfers",
    callers: 128,
    async next(callers) {
      await tracker.belowLimit(callers * IN_FLIGHT_EACH);
      return reportOf(path, run, tracker.start());
    },
    completed: () => tracker.arrived(),
    urls: (replicas) => replicas,
  };
}

async function measure(
  name: string,
  { next, completed, urls: urlsOf }: Case,
  { urls, callers, seconds }: { urls: string[]; callers: number; seconds: number },
): Promise<Pick<Measured, "perSecond" | "processorUs">> {
  const origins = urlsOf(urls);
  const targets = origins.map((origin) => openTarget(origin, Math.ceil(callers / origins.length)));
  let sent = 0;
  let answered = 0;
  const work = async () => {
    const call = await next(callers);
    const status = (await targets[sent++ % targets.length]?.send(call)) ?? 0;
    if (status < 200 || status > 299) throw new Error(`${name} answered ${status}`);
    answered++;
  };
  try {
    await saturate({ workers: callers, seconds: WARM_UP_SECONDS, work });
    const processorTime = processorClock();
    const [before, start] = [completed(answered), performance.now()];
    await saturate({ workers: callers, seconds, work });
    const count = completed(answered) - before;
    const perSecond = (count / (performance.now() - start)) * 1_000;
    return { perSecond, processorUs: processorTime(count)[name] ?? Number.NaN };
  } finally {
    for (const target of targets) await target.close();
  }
}
