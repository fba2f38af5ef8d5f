import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Component, type Logger, withBackOff } from "@collect/runtime";
import { z } from "zod";
import { type DoorResponse, openDoor } from "../door.ts";
import type { Event } from "./events.ts";

/** How an event is sent. */
export const Sending = z.object({
  /** Sends the same bytes this many times concurrently. With 0 Monnify never reports it. */
  times: z.int().min(0).max(100).default(1),
  delay_ms: z.int().min(0).max(60_000).default(0),
  /** Retries in the background until the door answers with 200, for at most an hour. */
  retry: z.boolean().default(false),
  /** `other_body`: the signature is right, for a body with another amount. `indented`: over bytes that no library would write. */
  signature: z.enum(["right", "other_body", "other_key", "indented"]).default("right"),
});
export type Sending = z.output<typeof Sending>;

export type Sent = { event: Event; acknowledged: boolean; answers: DoorResponse[] };

export type Notifier = Component & { send(event: Event, sending: Sending): Promise<Sent> };

const RETRY_FOR_MS = 3_600_000;
const RETRYING_MAX = 1_000;

type Options = { doorUrl: string; secretKey: string; log: Logger };

/** Notifies a merchant: the signature is in `monnify-signature`, and what is not answered with 200 is tried again. */
export function createNotifier({ doorUrl, secretKey, log }: Options): Notifier {
  const door = openDoor(doorUrl);
  const retrying = new Set<Promise<unknown>>();

  async function attempt(sent: Sent, message: Message): Promise<void> {
    const answer = await door.post(message);
    sent.answers.push(answer);
    sent.acknowledged ||= "status" in answer && answer.status === 200;
  }

  function retry(sent: Sent, message: Message): void {
    const once = async () => {
      await attempt(sent, message);
      if (!sent.acknowledged) throw new Error("the notification was not answered with 200");
    };
    const signal = AbortSignal.any([door.signal, AbortSignal.timeout(RETRY_FOR_MS)]);
    const onFailure = (_error: unknown, wait_ms: number) => log.info({ wait_ms }, "notification not acknowledged");
    const ended = withBackOff(once, { signal, onFailure }).finally(() => retrying.delete(ended));
    retrying.add(ended);
  }

  return {
    name: "monnify-notifier",
    start: async () => {},
    stop: async () => {
      await door.close();
      await Promise.all(retrying);
    },
    async send(event, { times, delay_ms, retry: retries, signature }) {
      const message = messageOf(event, { signature, secretKey });
      const sent: Sent = { event, acknowledged: false, answers: [] };
      await sleep(delay_ms, undefined, { signal: door.signal });
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
  return { body: sent, headers: { "monnify-signature": signed } };
}
