import {
  challengeWebhookEndpoint,
  createSigningSecret,
  getWebhookEndpoint,
  Problem,
  setWebhookEndpoint,
  stageSigningSecret,
  type WireResult,
} from "@collect/contracts";
import { exposuresOfSecret } from "../domain/exposure.ts";
import { isReceiver } from "../domain/receiver.ts";
import { isAllowed } from "../domain/role.ts";
import type { Call } from "../http/call.ts";
import { insertShown, listFormerRoles, listShownTo } from "../store/exposures.ts";

type WebhookEndpoint = WireResult<typeof getWebhookEndpoint>;

/** Without its secrets; for owners with the people who should not know the current one any more. */
export async function getWebhook(call: Call<unknown>) {
  return shownTo(call, await endpointOf(call));
}

export async function setWebhook(call: Call<{ url: string | null }>) {
  const { request, member, input, deps } = call;
  if (member.merchant.mode === "live" && isReceiver(deps.config.TEST_RECEIVER_URL, input.url))
    throw new Problem("validation_failed", "The test receiver takes no webhooks of live mode.", {
      errors: [{ param: "url", code: "invalid_url", message: "must be a server of your own" }],
    });
  return shownTo(call, await request(setWebhookEndpoint, { merchant: member.merchant, url: input.url }));
}

export async function challengeWebhook(call: Call<unknown>) {
  const { request, member } = call;
  return shownTo(call, await request(challengeWebhookEndpoint, { merchant: member.merchant }));
}

/** Creates the secret the first time: the server needs it to check the challenge that its URL is sent first. */
export async function revealSecrets(call: Call<unknown>) {
  const { request, member } = call;
  const { secret, staged_secret } = await request(createSigningSecret, { merchant: member.merchant });
  await noteShown(call, [secret, staged_secret]);
  return { secret, staged_secret };
}

export async function stageSecret(call: Call<unknown>) {
  const staged = await call.request(stageSigningSecret, { merchant: call.member.merchant });
  await noteShown(call, [staged.staged_secret]);
  return staged;
}

/** Before the response, so that no secret is shown without a record of it. */
function noteShown({ deps, member }: Call<unknown>, secrets: (string | null)[]): Promise<void> {
  const { id: merchantId, mode } = member.merchant;
  const ends = secrets.flatMap((secret) => (secret ? [endsOf(secret)] : []));
  return insertShown(deps.pool, { merchantId, mode, userId: member.user_id, ends });
}

async function endpointOf({ request, member: { merchant } }: Call<unknown>): Promise<WebhookEndpoint | null> {
  return request(getWebhookEndpoint, { merchant }).catch((error) => {
    if (error instanceof Problem && error.code === "not_found") return null;
    throw error;
  });
}

async function shownTo({ deps: { pool }, member }: Call<unknown>, endpoint: WebhookEndpoint | null) {
  const { id, mode } = member.merchant;
  const ends = endpoint ? endsOf(endpoint.secret) : null;
  const [former, shown] =
    ends && isAllowed(member.role, "team")
      ? await Promise.all([listFormerRoles(pool, id), listShownTo(pool, id, mode, ends)])
      : [[], new Set<string>()];
  return {
    url: endpoint?.url ?? null,
    has_secret: endpoint !== null,
    secret_ends: ends,
    staged: (endpoint?.staged_secret ?? null) !== null,
    activates_at: endpoint?.activates_at ?? null,
    unconfirmed: endpoint?.unconfirmed ?? null,
    exposed_to: exposuresOfSecret(shown, former),
  };
}

const endsOf = (secret: string) => secret.slice(-4);
