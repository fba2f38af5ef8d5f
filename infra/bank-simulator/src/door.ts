import { Agent, request } from "undici";

/** The result of one attempt: the bank door's response, or the error. */
export type DoorResponse = { status: number; body: unknown } | { error: string };

export type Door = {
  post(message: { headers: Record<string, string>; body: string }): Promise<DoorResponse>;
  /** Aborted when the door is closed. */
  signal: AbortSignal;
  close(): Promise<void>;
};

const DEADLINE_MS = 15_000;
/** As many as the maximum number of copies, so that all are really sent concurrently. */
const CONNECTIONS = 100;
const RESPONSE_BYTES_MAX = 65_536;

/** The door to which a simulated bank reports, as an HTTP client bounded in time and bytes. */
export function openDoor(url: string): Door {
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: RESPONSE_BYTES_MAX });
  const closing = new AbortController();
  return {
    signal: closing.signal,
    async post({ headers, body }) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(DEADLINE_MS)]);
      const json = { "content-type": "application/json", ...headers };
      try {
        const response = await request(url, { method: "POST", headers: json, body, signal, dispatcher });
        return { status: response.statusCode, body: jsonOrText(await response.body.text()) };
      } catch (error) {
        return { error: reason(error) };
      }
    },
    async close() {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `ECONNREFUSED`, `UND_ERR_SOCKET`, … or `TimeoutError`, `AbortError`. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
