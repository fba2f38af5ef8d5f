import { getWebhookEndpoint, Problem, setWebhookEndpoint, type WireResult } from "@collect/contracts";
import type { Call } from "./call.ts";

type Endpoint = WireResult<typeof getWebhookEndpoint>;

/** The webhook of a merchant and mode without its secrets: enough of the present one to recognise it. */
export async function showWebhook(call: Call) {
  return masked(await endpointOf(call));
}

export async function setWebhook({ ask, member: { merchant }, fields }: Call) {
  const { url } = setWebhookEndpoint.input.omit({ merchant: true }).parse(fields);
  return masked(await ask(setWebhookEndpoint, { merchant, url }));
}

export async function revealSecret(call: Call) {
  const endpoint = await endpointOf(call);
  if (!endpoint) throw new Problem("conflict", "Set a webhook URL first: that creates the signing secret.");
  return { secret: endpoint.secret, staged_secret: endpoint.staged_secret };
}

async function endpointOf({ ask, member: { merchant } }: Call): Promise<Endpoint | null> {
  return ask(getWebhookEndpoint, { merchant }).catch((error) => {
    if (error instanceof Problem && error.code === "not_found") return null;
    throw error;
  });
}

function masked(endpoint: Endpoint | null) {
  return {
    url: endpoint?.url ?? null,
    has_secret: endpoint !== null,
    secret_ends: endpoint?.secret.slice(-4) ?? null,
    staged: (endpoint?.staged_secret ?? null) !== null,
    activates_at: endpoint?.activates_at ?? null,
  };
}
