import { showMerchant } from "@collect/contracts";
import type { Call } from "./call.ts";

/** The keys of one mode, masked, with the merchant they are of. */
export async function keysOfMode({ ask, member: { merchant } }: Call) {
  const shown = await ask(showMerchant, { merchant_id: merchant.id });
  return { ...shown, keys: shown.keys.filter(({ mode }) => mode === merchant.mode) };
}
