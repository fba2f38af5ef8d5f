import { setTimeout as sleep } from "node:timers/promises";
import type { Component, Logger } from "@collect/runtime";
import { type DoorResponse, openDoor } from "../door.ts";

export type Sending = {
  /** Copies that are sent concurrently; with none the bank never reports. */
  times: number;
  delayMs: number;
};

/** What the bank made of the answers: `pending` after its last try. */
export type Notified = { state: "settled" | "rejected" | "pending"; answers: DoorResponse[] };

export type Notifier = Component & {
  /**
   * Posts a body with the signature, and resolves after the first try. What is not answered with 00, 01 or 02 is repeated in the
   * background, at most three times; `done` is called with every state that is final.
   */
  notify(body: object, sending: Sending, done: (state: Notified["state"]) => void): Promise<Notified>;
};

/** The waits of the simulation; the bank's own are not known. It tries at most four times. */
const WAITS_MS = [100, 300, 1_000];
const REPEATING_MAX = 1_000;

type Options = { url: string; headers: Record<string, string>; log: Logger };

export function createNotifier({ url, headers, log }: Options): Notifier {
  const door = openDoor(url);
  const repeating = new Set<Promise<unknown>>();

  async function attempt(notified: Notified, body: string): Promise<void> {
    const answer = await door.post({ headers, body });
    notified.answers.push(answer);
    if (notified.state === "pending") notified.state = stateAfter(answer);
  }

  async function repeat(notified: Notified, body: string): Promise<void> {
    for (const wait of WAITS_MS) {
      await sleep(wait, undefined, { signal: door.signal });
      await attempt(notified, body);
      if (notified.state !== "pending") return;
    }
    log.info({ tries: notified.answers.length }, "notification stays pending");
  }

  return {
    name: "providus-notifier",
    start: async () => {},
    async stop() {
      await door.close();
      await Promise.all(repeating);
    },
    async notify(content, { times, delayMs }, done) {
      const body = JSON.stringify(content);
      const notified: Notified = { state: "pending", answers: [] };
      await sleep(delayMs, undefined, { signal: door.signal });
      await Promise.all(Array.from({ length: times }, () => attempt(notified, body)));
      done(notified.state);
      if (times > 0 && notified.state === "pending" && repeating.size < REPEATING_MAX) {
        const ended = repeat(notified, body)
          .then(() => done(notified.state))
          .catch(() => {
            // The process ends.
          })
          .finally(() => repeating.delete(ended));
        repeating.add(ended);
      }
      return notified;
    },
  };
}

/** 00 and 01 settle the transfer, 02 keeps it out of the settlement account. */
function stateAfter(answer: DoorResponse): Notified["state"] {
  const body = "body" in answer && answer.status === 200 ? answer.body : undefined;
  const code = typeof body === "object" && body !== null && "responseCode" in body ? body.responseCode : undefined;
  if (code === "00" || code === "01") return "settled";
  return code === "02" ? "rejected" : "pending";
}
