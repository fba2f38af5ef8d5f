import { randomBytes } from "node:crypto";
import type { Stack } from "../stack.ts";
import { type Call, openTarget, percentile, saturate } from "./driver.ts";
import { aBusyMerchant } from "./product.ts";

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;

export type CallFigures = { perSecond: number; p50Ms: number; p99Ms: number };
export type MerchantApiFigures = {
  issue: CallFigures;
  get: CallFigures;
  open: CallFigures;
  openOnePrice: CallFigures;
  poll: CallFigures & { pollers: number; readsOfPaymentsPerSecond: number };
};

/** Payers whose open pages poll. */
const POLLERS = 1_000;

/**
 * One merchant that calls as fast as it gets responses: creating customer accounts, then reading them; payment sessions of a
 * thousand amounts, then all of one amount; finally a thousand payers who poll.
 */
export async function measureMerchantApi(stack: Stack, seconds: number): Promise<MerchantApiFigures> {
  const merchant = await aBusyMerchant(stack);
  const { origin, pathname } = new URL(`${stack.baseUrl}/customer_accounts`);
  const headers = { authorization: `Bearer ${merchant.keys.sk_test}`, "content-type": "application/json" };
  const run = randomBytes(4).toString("hex");
  let issued = 0;
  const issue = (): Call => {
    const body = `{"customer_reference":"${run}:${issued++}","customer_name":"Ada Obi"}`;
    return { method: "POST", path: pathname, headers, body };
  };
  let read = 0;
  const get = (): Call => ({ method: "GET", path: `${pathname}/${run}:${read++ % issued}`, headers });
  const payments = new URL(`${stack.baseUrl}/payments`).pathname;
  let opened = 0;
  const open = (): Call => {
    const body = `{"amount":${100 + (opened++ % 1_000)},"reference":"${run}:${opened}"}`;
    return { method: "POST", path: payments, headers, body };
  };
  const openOnePrice = (): Call => ({ method: "POST", path: payments, headers, body: `{"amount":5000}` });
  return {
    issue: await measureCalls({ origin, call: issue, expected: 201, seconds }),
    get: await measureCalls({ origin, call: get, expected: 200, seconds }),
    open: await measureCalls({ origin, call: open, expected: 201, seconds }),
    openOnePrice: await measureCalls({ origin, call: openOnePrice, expected: 201, seconds }),
    poll: await measurePolling(stack, headers, seconds),
  };
}

/** As fast as the checkout responds; only the checkout calls payments, in batches. */
async function measurePolling(stack: Stack, headers: Record<string, string>, seconds: number) {
  const paths: string[] = [];
  while (paths.length < POLLERS) {
    const body = JSON.stringify({ amount: 7_000 + (paths.length % 100) });
    const response = await fetch(`${stack.baseUrl}/payments`, { method: "POST", headers, body });
    const { reference } = (await response.json()) as { reference: string };
    paths.push(`/checkout/${reference}`);
  }
  // Every session view is stale, as after an outage.
  await stack.database("checkout").query("update session_views set refreshed_at = now() - interval '1 hour'");
  const reads = () => stack.logs("payments").split('"payments.sessions.read"').length - 1;
  let polled = 0;
  const call = (): Call => ({ method: "GET", path: paths[polled++ % POLLERS] ?? "", headers: {} });
  const [before, start] = [reads(), performance.now()];
  const figures = await measureCalls({ origin: stack.checkoutUrl, call, expected: 200, seconds });
  const readsOfPaymentsPerSecond = ((reads() - before) / (performance.now() - start)) * 1_000;
  return { ...figures, pollers: POLLERS, readsOfPaymentsPerSecond };
}

async function measureCalls(options: {
  origin: string;
  call: () => Call;
  expected: number;
  seconds: number;
}): Promise<CallFigures> {
  const target = openTarget(options.origin, CONNECTIONS);
  let tookMs: number[] = [];
  const work = async () => {
    const start = performance.now();
    const status = await target.send(options.call());
    if (status !== options.expected) throw new Error(`${status} instead of ${options.expected}`);
    tookMs.push(performance.now() - start);
  };
  try {
    await saturate({ workers: CONNECTIONS, seconds: WARM_UP_SECONDS, work });
    tookMs = [];
    const start = performance.now();
    await saturate({ workers: CONNECTIONS, seconds: options.seconds, work });
    const perSecond = (tookMs.length / (performance.now() - start)) * 1_000;
    return { perSecond, p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
  } finally {
    await target.close();
  }
}
