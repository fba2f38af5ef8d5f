import {
  browseApiCalls,
  browseCollections,
  browseCustomerAccounts,
  getVerification,
  getWebhookHealth,
  showMerchant,
} from "@collect/contracts";
import type { Call } from "../http/call.ts";

/** The steps that a new merchant has completed, in order. */
export async function showChecklist({ request, member: { merchant } }: Call<unknown>) {
  const merchant_id = merchant.id;
  const newest = { merchant, limit: "1" };
  const [shown, calls, accounts, money, webhook, verification] = await Promise.all([
    request(showMerchant, { merchant_id }),
    request(browseApiCalls, newest),
    request(browseCustomerAccounts, newest),
    request(browseCollections, newest),
    request(getWebhookHealth, { merchant }),
    request(getVerification, { merchant_id }),
  ]);
  const keys = shown.keys.filter(({ mode }) => mode === merchant.mode);
  return {
    keys_made: keys.length > 0,
    // The request log is kept for a week; a key's last use is kept as long as the key.
    api_called: calls.data.length > 0 || keys.some(({ last_used_at }) => last_used_at !== null),
    account_made: accounts.data.length > 0,
    // Nothing is sent to a URL that has not answered its challenge.
    webhook_set: webhook.url !== null,
    money_received: money.data.length > 0,
    webhook_delivered: webhook.ever_delivered,
    verification: verification.state,
  };
}
