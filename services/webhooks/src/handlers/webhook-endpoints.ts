import { answer, type Request } from "@collect/bus";
import {
  challengeWebhookEndpoint,
  createSigningSecret,
  getWebhookEndpoint,
  type MerchantScope,
  Problem,
  setWebhookEndpoint,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readMerchantUrl, type UrlRules } from "../adapters/merchant-url.ts";
import { noEndpoint } from "../domain/refusals.ts";
import { createEndpoint, type Endpoint, findEndpoint, setEndpoint } from "../store/webhook-endpoints.ts";
import { type ConfirmingDeps, confirmByChallenge } from "../use-cases/confirm-url.ts";
import { newSecret } from "../use-cases/new-secret.ts";
import { openRow } from "../use-cases/sealed-secrets.ts";

type Deps = ConfirmingDeps & { urls: UrlRules };

/** The webhook URL and the signing secret of a merchant and mode. */
export function webhookEndpointRequests(deps: Deps): Request[] {
  const { pool, secrets, urls } = deps;
  return [
    answer(setWebhookEndpoint, async ({ merchant, url }) => {
      const accepted = url === null ? null : acceptedUrl(url, urls);
      if (accepted?.mustAnswer && (await findEndpoint(pool, merchant))?.url !== accepted.url)
        return toResponse(deps, merchant, await confirmByChallenge(deps, merchant, accepted.url));
      const secret = secrets.seal(merchant, newSecret());
      const endpoint = await setEndpoint(pool, { merchant, url: accepted?.url ?? null, secret });
      if (!endpoint) throw new Error("the endpoint was not stored");
      return toResponse(deps, merchant, endpoint);
    }),
    answer(createSigningSecret, async ({ merchant }) => {
      await createEndpoint(pool, merchant, secrets.seal(merchant, newSecret()));
      return toResponse(deps, merchant, await required(pool, merchant));
    }),
    answer(challengeWebhookEndpoint, async ({ merchant }) => {
      const endpoint = await required(pool, merchant);
      if (endpoint.unconfirmed_url === null)
        throw new Problem("conflict", "No webhook URL waits for its confirmation. It may have been confirmed already.");
      return toResponse(deps, merchant, await confirmByChallenge(deps, merchant, endpoint.unconfirmed_url));
    }),
    answer(getWebhookEndpoint, async ({ merchant }) => toResponse(deps, merchant, await required(pool, merchant))),
  ];
}

async function required(pool: Pool, merchant: MerchantScope): Promise<Endpoint> {
  const endpoint = await findEndpoint(pool, merchant);
  if (!endpoint) throw noEndpoint();
  return endpoint;
}

function acceptedUrl(text: string, rules: UrlRules): { url: string; mustAnswer: boolean } {
  const read = readMerchantUrl(text, rules);
  if ("url" in read) return read;
  throw new Problem("validation_failed", `The webhook URL ${read.fault}.`, {
    errors: [{ param: "url", code: "invalid_url", message: read.fault }],
  });
}

function toResponse({ secrets }: Deps, merchant: MerchantScope, stored: Endpoint) {
  const {
    unconfirmed_url: url,
    challenged_at,
    challenge_error: error,
    ...endpoint
  } = openRow(secrets, merchant, stored);
  return { ...endpoint, unconfirmed: url === null ? null : { url, challenged_at, error } };
}
