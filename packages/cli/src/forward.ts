import { type Event, signTestWebhook } from "@collect/sdk";

/** What became of an event that was forwarded: the status of the response, or why there was none. */
export type Forwarded = { status: number | null; error: string | null; duration_ms: number };
type Target = { to: URL; secret: string; signal: AbortSignal };

/** As long as the service waits for a merchant's server. */
const TIMEOUT_MS = 15_000;

/**
 * Sends the bytes of an event with the headers of a delivery, signed now. The event's number stands in for that of its delivery,
 * which belongs to the webhook URL.
 */
export async function forward({ body, id, sequence }: Event, { to, secret, signal }: Target): Promise<Forwarded> {
  const signed = signTestWebhook(body, secret, { id, sequence });
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const response = await fetch(to, {
      method: "POST",
      ...signed,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return { status: response.status, error: null, duration_ms: took() };
  } catch (error) {
    return { status: null, error: reasonOf(error), duration_ms: took() };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
