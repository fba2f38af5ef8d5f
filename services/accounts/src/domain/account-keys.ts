import { createHmac } from "node:crypto";
import type { MerchantScope } from "@collect/contracts";

/** The owner of an account: a customer, or the merchant with its n-th account. */
export type AccountOwner = { merchant: MerchantScope } & ({ customerReference: string } | { position: number });

const TEST_SERIALS = 1_000_000_000n;

/**
 * The identifiers of a new account: always the same for the same owner, so that a restored database issues the account that
 * the payer may already know, and never another owner's. `tries` counts serials that were taken. Keyed, so that one account
 * cannot be derived from another.
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
