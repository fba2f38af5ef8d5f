import type { IncomingMessage, ServerResponse } from "node:http";
import type { EndpointChallengeEvent } from "../generated/schemas.ts";
import type { AgeOptions } from "./age.ts";
import { WebhookVerificationError } from "./errors.ts";
import type { WebhookEvent } from "./events.ts";
import { verifyWebhook } from "./webhook.ts";

/** Events are a few kilobytes. */
const BODY_BYTES_MAX = 1_000_000;

export type ReceiverOptions = AgeOptions & {
  /** The signing secret, `whsec_…`, or several: each of them is accepted. */
  secret: string | readonly string[];
  /** Called with each verified event, which is acknowledged once the promise resolves, and sent again if it rejects. */
  onEvent(event: Exclude<WebhookEvent, EndpointChallengeEvent>): unknown;
  /** Called when a delivery was refused (400) or failed (500), with the reason. */
  onError(error: unknown): void;
};

type Incoming = IncomingMessage & { body?: Uint8Array | string };

/**
 * A request listener for a webhook URL, for `node:http` or Express: verifies the raw body, answers the challenge that a new URL is
 * sent, and acknowledges an event once `onEvent` has handled it. Put no JSON parser in front of it; `express.raw()` may be.
 */
export function createReceiver({ secret, onEvent, onError, ...age }: ReceiverOptions) {
  return async (request: Incoming, response: ServerResponse): Promise<void> => {
    const respond = (status: number, body = "") => void response.writeHead(status).end(body);
    try {
      const event = verifyWebhook(await rawBodyOf(request), request.headers, secret, age);
      if (event.event === "endpoint.challenge") return respond(200, event.data.challenge);
      await onEvent(event);
      respond(200);
    } catch (error) {
      respond(error instanceof WebhookVerificationError ? 400 : 500);
      onError(error);
    }
  };
}

/** What a parser left in `body` is judged by `verifyWebhook`, which says what is wrong with it. */
async function rawBodyOf(request: Incoming): Promise<Uint8Array | string> {
  if (request.body !== undefined) return request.body;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`the body has more than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
