import { z } from "zod";
import { MerchantScope } from "../fields.ts";

/** The caller, as the gateway identified it by its key. */
export const Merchant = MerchantScope.extend({ name: z.string() });
export type Merchant = z.infer<typeof Merchant>;

export const byMerchant = z.object({ merchant: Merchant });

/** The same, where the name is not needed. */
export const byScope = z.object({ merchant: MerchantScope });
