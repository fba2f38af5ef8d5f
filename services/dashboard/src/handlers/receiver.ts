import { Problem } from "@collect/contracts";
import { receiverUrl } from "../domain/receiver.ts";
import type { Call } from "../http/call.ts";
import { type Behavior, ensureReceiver, findReceiver, listReceived, setReceiverBehavior } from "../store/receivers.ts";
import { getWebhook, setWebhook } from "./webhook.ts";

/** The test receiver: a server of ours that takes a merchant's webhooks of test mode. */

export async function readReceiver(call: Call<unknown>) {
  const { pool } = call.deps;
  const base = baseOf(call);
  const { id } = call.member.merchant;
  const [receiver, received, webhook] = await Promise.all([
    findReceiver(pool, id),
    listReceived(pool, id),
    getWebhook(call),
  ]);
  const url = receiver ? receiverUrl(base, receiver.token) : null;
  return { url, in_use: url !== null && webhook.url === url, behavior: receiver?.behavior ?? "ok", received };
}

/** Makes it the webhook URL, as any other: it is sent a challenge first wherever URLs are. */
export async function useReceiver(call: Call<unknown>) {
  const base = baseOf(call);
  const { token } = await ensureReceiver(call.deps.pool, call.member.merchant.id);
  return setWebhook({ ...call, input: { url: receiverUrl(base, token) } });
}

export async function setBehavior(call: Call<{ behavior: Behavior }>) {
  baseOf(call);
  const changed = await setReceiverBehavior(call.deps.pool, call.member.merchant.id, call.input.behavior);
  if (!changed) throw new Problem("not_found", "The test receiver has not been used yet.");
  return readReceiver(call);
}

function baseOf({ deps, member }: Call<unknown>): string {
  const { TEST_RECEIVER_URL: base } = deps.config;
  if (member.merchant.mode !== "test") throw new Problem("not_found", "Only test mode has a test receiver.");
  if (base === undefined) throw new Problem("not_found", "This installation has no test receiver.");
  return base;
}
