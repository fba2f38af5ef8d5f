import { showMerchant } from "@collect/contracts";
import type { Call } from "../http/call.ts";

/** The keys of one mode, masked, with their merchant. */
export async function listKeys({ request, member: { merchant } }: Call<unknown>) {
  const shown = await request(showMerchant, { merchant_id: merchant.id });
  return { ...shown, keys: shown.keys.filter(({ mode }) => mode === merchant.mode) };
}
