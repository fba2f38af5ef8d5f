import { answer, type Request } from "@collect/bus";
import { getWebhookEndpoint, Problem, setWebhookEndpoint } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readMerchantUrl } from "../adapters/merchant-url.ts";
import { noEndpoint } from "../domain/refusals.ts";
import { findEndpoint, setEndpoint } from "../store/webhook-endpoints.ts";
import { newSecret } from "../use-cases/new-secret.ts";

/** The webhook URL and the signing secret of a merchant and mode. */
export function webhookEndpointRequests({
  pool,
  allowPrivateUrls,
}: {
  pool: Pool;
  allowPrivateUrls: boolean;
}): Request[] {
  return [
    answer(setWebhookEndpoint, async ({ merchant, url }) => {
      const accepted = url === null ? null : acceptedUrl(url, allowPrivateUrls);
      const endpoint = await setEndpoint(pool, { merchant, url: accepted, secret: newSecret() });
      if (!endpoint) throw new Error("the endpoint was not stored");
      return endpoint;
    }),
    answer(getWebhookEndpoint, async ({ merchant }) => {
      const endpoint = await findEndpoint(pool, merchant);
      if (!endpoint) throw noEndpoint();
      return endpoint;
    }),
  ];
}

function acceptedUrl(text: string, allowPrivateUrls: boolean): string {
  const read = readMerchantUrl(text, { allowPrivateUrls });
  if ("url" in read) return read.url;
  throw new Problem("validation_failed", `The webhook URL ${read.fault}.`, {
    errors: [{ param: "url", code: "invalid_url", message: read.fault }],
  });
}
