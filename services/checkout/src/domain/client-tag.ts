import { createHmac } from "node:crypto";
import type { MerchantScope } from "@collect/contracts";

/** Tells a merchant's clients apart without their addresses: the same client has another tag with every merchant and mode. */
export function clientTag(key: Buffer, { id, mode }: MerchantScope, address: string): string {
  return createHmac("sha256", key).update(["client", mode, id, address].join("\n")).digest("base64url").slice(0, 22);
}
