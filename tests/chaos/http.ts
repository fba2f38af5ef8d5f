import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

export type Response = { status: number; body: Record<string, unknown> };
type Call = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: string };

const agent = new Agent({ connections: 64, headersTimeout: 5_000, bodyTimeout: 5_000, connectTimeout: 2_000 });
const RETRY_DELAY_MS = 250;

/** One call; undefined if there is no response within five seconds. */
export async function call(origin: string, { method, path, headers, body }: Call): Promise<Response | undefined> {
  try {
    const response = await request(`${origin}${path}`, {
      method,
      dispatcher: agent,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(6_000),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: text ? JSON.parse(text) : {} };
  } catch {
    return undefined;
  }
}

/** Sends a call to one replica after the other, until the response is final or the run is over. */
export type Caller = (given: Call, isFinal: (response: Response) => boolean) => Promise<Response | undefined>;

export function createCaller(origins: readonly string[], isOver: AbortSignal): Caller {
  let attempts = 0;
  return async (given, isFinal) => {
    while (!isOver.aborted) {
      const response = await call(origins[attempts++ % origins.length] ?? "", given);
      if (response && isFinal(response)) return response;
      await sleep(RETRY_DELAY_MS);
    }
    return undefined;
  };
}
