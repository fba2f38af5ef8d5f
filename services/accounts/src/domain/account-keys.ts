import { createHmac } from "node:crypto";
import type { MerchantScope } from "@collect/contracts";

/** Whose account it is: a customer's, or the n-th of the merchant's own. */
export type AccountOwner = { merchant: MerchantScope } & ({ customerReference: string } | { position: number });

const TEST_SERIALS = 1_000_000_000n;

/**
 * What a new account begins with: the same for ever for the same owner, so that a restored database, asked again, issues the
 * account that the payer may know already, and not that of another. `tries` counts serials that were taken. Keyed, so that
 * nobody can guess one account from another.
 */
export function accountKeys(
  key: string,
  owner: AccountOwner,
  tries: number,
): { id: string; requestId: string; testSerial: bigint } {
  const { merchant } = owner;
  const name = "position" in owner ? ["collection", owner.position] : ["customer", owner.customerReference];
  const digest = (...more: unknown[]) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["account", merchant.mode, merchant.id, ...name, ...more]))
      .digest();
  return {
    id: `acc_${digest("id").toString("hex").slice(0, 32)}`,
    requestId: `req_${digest("request").toString("hex").slice(0, 32)}`,
    testSerial: digest("serial", tries).readBigUInt64BE() % TEST_SERIALS,
  };
}
