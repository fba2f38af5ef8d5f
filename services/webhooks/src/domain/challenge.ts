import type { EndpointChallenge, Mode } from "@collect/contracts";
import { instantOf } from "@collect/contracts";
import type { z } from "zod";
import { signatureHeaders } from "./signature.ts";

/** Per 60 minutes: challenges of one merchant and mode, and challenges to one host, whoever names it. */
export const CHALLENGE_LIMITS = { perMerchant: 5, perHost: 60 };

export type Challenge = { reference: string; challenge: string; mode: Mode; at: Date };

/** The request that a URL has to answer before events are sent to it, signed like an event. It has no number in the log. */
export function challengeRequest(
  { reference, challenge, mode, at }: Challenge,
  keys: { secret: string; stagedSecret: string | null },
): { headers: Record<string, string>; body: Buffer } {
  const envelope = {
    event: "endpoint.challenge",
    mode,
    created_at: instantOf(at),
    data: { challenge, reference },
  } satisfies z.input<typeof EndpointChallenge>;
  const body = Buffer.from(JSON.stringify(envelope));
  const headers = {
    "content-type": "application/json",
    "user-agent": "Collect-Webhooks/1",
    "x-service-event": envelope.event,
    ...signatureHeaders({ id: reference, body, at, ...keys }),
  };
  return { headers, body };
}

/** Why a response does not answer the challenge; null when it does: any 2xx whose body is the challenge, or JSON with it. */
export function faultOfAnswer(
  challenge: string,
  answer: { status: number; response: string } | { status: null; error: string },
): string | null {
  if (answer.status === null) return answer.error;
  if (answer.status < 200 || answer.status > 299) return `the response was ${answer.status}`;
  return echoes(answer.response, challenge) ? null : `the response was ${answer.status}, without the challenge`;
}

function echoes(response: string, challenge: string): boolean {
  if (response.trim() === challenge) return true;
  try {
    return Object(JSON.parse(response)).challenge === challenge;
  } catch {
    return false;
  }
}
