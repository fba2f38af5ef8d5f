import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Component, type Logger, withBackOff } from "@collect/runtime";
import { Agent, request } from "undici";
import { z } from "zod";
import type { Event } from "./events.ts";

/** How an event is sent. */
export const Sending = z.object({
  /** Sends the same bytes this many times concurrently; 0 keeps the event for later. */
  times: z.int().min(0).max(100).default(1),
  delay_ms: z.int().min(0).max(60_000).default(0),
  /** Retries in the background until the door answers with 200, for at most an hour. */
  retry: z.boolean().default(false),
  /** `other_body`: the signature is right, for a body with another amount. `indented`: over bytes that no library would write. */
  signature: z.enum(["right", "other_body", "other_key", "indented"]).default("right"),
});
export type Sending = z.output<typeof Sending>;

type Answer = { status: number } | { error: string };
export type Sent = { event: Event; acknowledged: boolean; answers: Answer[] };

export type Notifier = Component & { send(event: Event, sending: Sending): Promise<Sent> };

const DEADLINE_MS = 15_000;
const RETRY_FOR_MS = 3_600_000;
const RETRYING_MAX = 1_000;
const CONNECTIONS = 100;
const RESPONSE_BYTES_MAX = 65_536;

type Options = { url: string; secretKey: string; log: Logger };

/** Notifies a merchant: the signature is in `monnify-signature`, and what is not answered with 200 is tried again. */
export function createNotifier({ url, secretKey, log }: Options): Notifier {
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: RESPONSE_BYTES_MAX });
  const stopping = new AbortController();
  const retrying = new Set<Promise<unknown>>();

  async function post(message: Message): Promise<Answer> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(DEADLINE_MS)]);
    try {
      const response = await request(url, { method: "POST", ...message, signal, dispatcher });
      await response.body.dump();
      return { status: response.statusCode };
    } catch (error) {
      return { error: error instanceof Error ? error.name : String(error) };
    }
  }

  async function attempt(sent: Sent, message: Message): Promise<void> {
    const answer = await post(message);
    sent.answers.push(answer);
    sent.acknowledged ||= "status" in answer && answer.status === 200;
  }

  function retry(sent: Sent, message: Message): void {
    const once = async () => {
      await attempt(sent, message);
      if (!sent.acknowledged) throw new Error("the notification was not answered with 200");
    };
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(RETRY_FOR_MS)]);
    const onFailure = (_error: unknown, wait_ms: number) => log.info({ wait_ms }, "notification not acknowledged");
    const ended = withBackOff(once, { signal, onFailure }).finally(() => retrying.delete(ended));
    retrying.add(ended);
  }

  return {
    name: "monnify-notifier",
    start: async () => {},
    stop: async () => {
      stopping.abort();
      await Promise.all(retrying);
      await dispatcher.destroy();
    },
    async send(event, { times, delay_ms, retry: retries, signature }) {
      const message = messageOf(event, { signature, secretKey });
      const sent: Sent = { event, acknowledged: false, answers: [] };
      await sleep(delay_ms, undefined, { signal: stopping.signal });
      await Promise.all(Array.from({ length: times }, () => attempt(sent, message)));
      if (retries && times > 0 && !sent.acknowledged && retrying.size < RETRYING_MAX) retry(sent, message);
      return { ...sent };
    },
  };
}

type Message = { body: string; headers: Record<string, string> };

function messageOf(
  event: Event,
  { signature, secretKey }: { signature: Sending["signature"]; secretKey: string },
): Message {
  const body = JSON.stringify(event, null, signature === "indented" ? 4 : 0);
  const signed = createHmac("sha512", signature === "other_key" ? `${secretKey}?` : secretKey)
    .update(body)
    .digest("hex");
  const sent = signature === "other_body" ? body.replace(/"amountPaid":\d+/g, '"amountPaid":9999999') : body;
  return { body: sent, headers: { "content-type": "application/json", "monnify-signature": signed } };
}
