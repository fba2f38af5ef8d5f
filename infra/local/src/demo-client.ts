import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Balance, CollectionSuccess, type Mode } from "@collect/contracts";
import { z } from "zod";
import type { Demo } from "./files.ts";
import { Received } from "./receiver.ts";

/** A webhook whose signature was checked here, over its raw bytes, with the secret in demo.json. */
export type Webhook = z.output<typeof CollectionSuccess>["data"] & { sequence: number };
export type Client = ReturnType<typeof merchantClient>;

const SOON_MS = 30_000;

/** What a merchant's server does: calls over HTTP with its key, and looks at the webhooks it got. */
export function merchantClient(demo: Demo, options: { mode: Mode; receiverUrl: string }) {
  const { mode } = options;
  const key = mode === "test" ? demo.keys.sk_test : demo.keys.sk_live;
  const call = (method: "GET" | "POST", path: string, body?: object) =>
    http(`${demo.base_url}${path}`, { method, body, headers: { authorization: `Bearer ${key}` } });

  /** One of each sequence number, because a webhook may come more than once. */
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
      return soon(
        () => webhooks(accepts),
        (found) => found.length >= count,
        (found) => `${found.length} of ${count} webhooks came`,
      );
    },
  };
}

function readWebhook({ raw, signature, sequence, mode }: Received, demo: Demo): Webhook {
  const expected = createHmac("sha512", demo.webhook[mode].secret).update(raw).digest("hex");
  hold(signature === expected, `a webhook's signature does not match its bytes: ${raw}`);
  const envelope = CollectionSuccess.parse(JSON.parse(raw));
  hold(envelope.mode === mode, `a webhook of the ${mode} URL says that it is ${envelope.mode}`);
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

/** Asks again until the answer is what it should soon be. */
export async function soon<Answer>(
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
  otherwise: (answer: Answer) => string,
): Promise<Answer> {
  for (const deadline = Date.now() + SOON_MS; ; await sleep(50)) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    hold(Date.now() < deadline, `${otherwise(answer)} within ${SOON_MS / 1_000} s`);
  }
}

/** The demonstration ends at the first thing that does not hold. */
export function hold(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

export function show(what: string, proves: string): void {
  console.log(`  ✓ ${what}\n      ${proves}`);
}
