import { setTimeout as sleep } from "node:timers/promises";
import { CollectError } from "./errors.ts";
import { problemOf, unreadable } from "./problem.ts";
import { waitBeforeNext } from "./retry.ts";

export type Sending = { key: string; fetch: typeof fetch; timeoutMs: number; retries: number };
export type Call = { method: string; url: URL; body: string | undefined; repeatable: boolean };

/** Makes a call and returns its JSON. A call that is safe to repeat is retried after a temporary failure. */
export async function send(sending: Sending, call: Call): Promise<unknown> {
  const retries = call.repeatable ? sending.retries : 0;
  for (let tries = 1; ; tries++) {
    try {
      return await sendOnce(sending, call);
    } catch (error) {
      if (!(error instanceof CollectError)) throw error;
      const waitMs = waitBeforeNext(error, { tries, retries }, Math.random());
      if (waitMs === undefined) throw error;
      await sleep(waitMs);
    }
  }
}

async function sendOnce({ key, fetch, timeoutMs }: Sending, { method, url, body }: Call): Promise<unknown> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  // A redirect is never followed: the URL is wrong, and a POST would become a GET.
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await exchange(() => fetch(url, { method, headers, body, signal, redirect: "manual" }), timeoutMs);
  const json = parsed(answer.text);
  if (answer.response.ok && json !== undefined) return json;
  throw answer.response.ok ? unreadable(answer.response) : problemOf(answer.response, json);
}

/** The deadline covers the response up to the last byte of its body. */
async function exchange(
  ask: () => Promise<Response>,
  timeoutMs: number,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await ask();
    return { response, text: await response.text() };
  } catch (cause) {
    const late = cause instanceof Error && cause.name === "TimeoutError";
    throw new CollectError(
      late
        ? { status: null, code: "timeout", detail: `No response within ${timeoutMs} ms.` }
        : { status: null, code: "network_error", detail: "The API could not be reached, or the connection was lost." },
      { cause },
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
