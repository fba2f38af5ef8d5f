import { getWebhookEndpoint, Problem, setWebhookEndpoint, type WireResult } from "@collect/contracts";
import type { Call } from "../http/call.ts";

type WebhookEndpoint = WireResult<typeof getWebhookEndpoint>;

export async function getWebhook(call: Call<unknown>) {
  return masked(await endpointOf(call));
}

export async function setWebhook({ request, member: { merchant }, input: { url } }: Call<{ url: string | null }>) {
  return masked(await request(setWebhookEndpoint, { merchant, url }));
}

export async function revealSecrets(call: Call<unknown>) {
  const endpoint = await endpointOf(call);
  if (!endpoint) throw new Problem("conflict", "Set a webhook URL first: that creates the signing secret.");
  return { secret: endpoint.secret, staged_secret: endpoint.staged_secret };
}

async function endpointOf({ request, member: { merchant } }: Call<unknown>): Promise<WebhookEndpoint | null> {
  return request(getWebhookEndpoint, { merchant }).catch((error) => {
    if (error instanceof Problem && error.code === "not_found") return null;
    throw error;
  });
}

function masked(endpoint: WebhookEndpoint | null) {
  return {
    url: endpoint?.url ?? null,
    has_secret: endpoint !== null,
    secret_ends: endpoint?.secret.slice(-4) ?? null,
    staged: (endpoint?.staged_secret ?? null) !== null,
    activates_at: endpoint?.activates_at ?? null,
  };
}
