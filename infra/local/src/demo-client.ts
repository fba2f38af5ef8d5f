import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Balance, CollectionSuccess, type Mode } from "@collect/contracts";
import { z } from "zod";
import type { Demo } from "./files.ts";
import { Received } from "./receiver.ts";

/** A webhook whose signature was verified over its raw bytes with the secret in demo.json. */
export type Webhook = z.output<typeof CollectionSuccess>["data"] & { sequence: number };
export type Client = ReturnType<typeof merchantClient>;

const TIMEOUT_MS = 30_000;

/** A merchant's server: calls the API with its key and reads the webhooks it received. */
export function merchantClient(demo: Demo, options: { mode: Mode; receiverUrl: string }) {
  const { mode } = options;
  const key = mode === "test" ? demo.keys.sk_test : demo.keys.sk_live;
  const call = (method: "GET" | "POST", path: string, body?: object) =>
    http(`${demo.base_url}${path}`, { method, body, headers: { authorization: `Bearer ${key}` } });

  /** One per sequence number, because a webhook may be delivered more than once. */
  async function webhooks(accepts: (webhook: Webhook) => boolean): Promise<Webhook[]> {
    const { body } = await http(`${options.receiverUrl}/received?mode=${mode}`);
    const { data } = z.object({ data: z.array(Received) }).parse(body);
    const read = data
      .filter(({ event }) => event === "collection.success")
      .map((delivery) => readWebhook(delivery, demo));
    const bySequence = new Map(read.filter(accepts).map((webhook) => [webhook.sequence, webhook]));
    return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
  }

  return {
    mode,
    call,
    checkoutUrl: demo.checkout_url,
    webhooks,
    balance: async () => Balance.parse((await call("GET", "/balance")).body),
    async untilWebhooks(count: number, accepts: (webhook: Webhook) => boolean): Promise<Webhook[]> {
      return poll(
        () => webhooks(accepts),
        (found) => found.length >= count,
        (found) => `${found.length} of ${count} webhooks came to the URL that npm start sets for the demo business`,
      );
    },
  };
}

function readWebhook({ raw, signature, sequence, mode }: Received, demo: Demo): Webhook {
  const expected = createHmac("sha512", demo.webhook[mode].secret).update(raw).digest("hex");
  check(signature === expected, `a webhook's signature does not match its bytes: ${raw}`);
  const envelope = CollectionSuccess.parse(JSON.parse(raw));
  check(envelope.mode === mode, `a webhook sent to the ${mode} URL has mode ${envelope.mode}`);
  return { ...envelope.data, sequence };
}

export async function http(
  url: string,
  options: { method?: string; body?: object | undefined; headers?: Record<string, string> } = {},
) {
  const response = await fetch(url, {
    method: options.method ?? "GET",
    headers: { "content-type": "application/json", ...options.headers },
    body: options.body ? JSON.stringify(options.body) : null,
    signal: AbortSignal.timeout(30_000),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** Repeats a read until its result is accepted; throws `otherwise` after a timeout. */
export async function poll<Result>(
  read: () => Promise<Result>,
  accepts: (result: Result) => boolean,
  otherwise: (result: Result) => string,
): Promise<Result> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
    const result = await read();
    if (accepts(result)) return result;
    check(Date.now() < deadline, `${otherwise(result)} within ${TIMEOUT_MS / 1_000} s`);
  }
}

/** The demo stops at the first failed check. */
export function check(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

export function show(what: string, proves: string): void {
  console.log(`  ✓ ${what}\n      ${proves}`);
}
