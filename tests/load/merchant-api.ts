import { randomBytes } from "node:crypto";
import type { Stack } from "../stack.ts";
import { type Call, openTarget, percentile, saturate } from "./driver.ts";
import { aBusyMerchant } from "./product.ts";

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;

export type CallFigures = { perSecond: number; p50Ms: number; p99Ms: number };
export type MerchantApiFigures = { issue: CallFigures; get: CallFigures };

/** One merchant that calls as fast as it gets answers: new customer accounts first, then reading them. */
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
  return {
    issue: await measureCalls({ origin, call: issue, expected: 201, seconds }),
    get: await measureCalls({ origin, call: get, expected: 200, seconds }),
  };
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
