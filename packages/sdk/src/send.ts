import { setTimeout as sleep } from "node:timers/promises";
import { VERSION } from "../generated/version.ts";
import { CollectError } from "./errors.ts";
import { problemOf, unreadable } from "./problem.ts";
import { metadataOf, type ResponseMetadata } from "./response.ts";
import { waitBeforeNext } from "./retry.ts";

export type Sending = { key: string; fetch: typeof fetch; retries: number };
export type Call = {
  method: string;
  url: URL;
  body: string | undefined;
  repeatable: boolean;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

/** Makes a call and returns its JSON. A call that is safe to repeat is retried after a temporary failure. */
export async function send(sending: Sending, call: Call): Promise<{ data: unknown; response: ResponseMetadata }> {
  const retries = call.repeatable ? sending.retries : 0;
  for (let tries = 1; ; tries++) {
    try {
      return await sendOnce(sending, call);
    } catch (error) {
      if (!(error instanceof CollectError)) throw error;
      const waitMs = waitBeforeNext(error, { tries, retries }, Math.random());
      if (waitMs === undefined) throw error;
      await sleep(waitMs, undefined, { signal: call.signal }).catch(() => call.signal?.throwIfAborted());
    }
  }
}

async function sendOnce({ key, fetch }: Sending, { method, url, body, timeoutMs, signal }: Call) {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: "application/json", ...agent() };
  if (body !== undefined) headers["content-type"] = "application/json";
  const { response, text } = await exchange(
    // A redirect is never followed: the URL is wrong, and a POST would become a GET.
    (ending) => fetch(url, { method, headers, body, signal: ending, redirect: "manual" }),
    { timeoutMs, signal },
  );
  const data = parsed(text);
  if (response.ok && data !== undefined) return { data, response: metadataOf(response) };
  throw response.ok ? unreadable(response) : problemOf(response, data);
}

/** Browsers name themselves, and ask the server first whether another name may be sent. */
const agent = (): Record<string, string> =>
  "document" in globalThis ? {} : { "user-agent": `collect-sdk/${VERSION} node/${process.versions.node}` };

/** The deadline covers the response up to the last byte of its body, and so does the caller's signal. */
async function exchange(
  request: (signal: AbortSignal) => Promise<Response>,
  { timeoutMs, signal }: Pick<Call, "timeoutMs" | "signal">,
): Promise<{ response: Response; text: string }> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort);
  try {
    const response = await request(controller.signal);
    return { response, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new CollectError(
      controller.signal.aborted
        ? { status: null, code: "timeout", detail: `No response within ${timeoutMs} ms.` }
        : { status: null, code: "network_error", detail: "The API could not be reached, or the connection was lost." },
      { cause },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
