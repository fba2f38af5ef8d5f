import { randomUUID } from "node:crypto";
import { Problem } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { z } from "zod";
import { checked } from "../checked.ts";
import type { BankPartner, PartnerCheck, PayoutPartner, RequestIssuer, TransferLookup } from "../port.ts";
import { createClient, type Monnify, type MonnifyAccess } from "./client.ts";
import { createIssuer, Reservation } from "./issuing.ts";
import { createLookup } from "./lookup.ts";
import { createNotifications, type NotificationOptions } from "./notifications.ts";
import { createPayouts, type Wallet } from "./payouts.ts";
import { unlistedBanks } from "./unlisted-banks.ts";

export type MonnifyOptions = MonnifyAccess &
  NotificationOptions & {
    /** The contract under which accounts are reserved. */
    contractCode: string;
    /** Absent: nothing is paid out. */
    payouts?: Wallet;
  };

const MONNIFY = { id: "monnify", name: "Monnify" };

export type MonnifyPartner = BankPartner & { issuer: RequestIssuer; lookup: TransferLookup };

/** Monnify: an aggregator that reserves accounts at several banks, and sends payouts from a wallet. */
export function createMonnify(options: MonnifyOptions): MonnifyPartner {
  const monnify = createClient(options);
  const { payouts } = options;
  return {
    ...MONNIFY,
    issuer: createIssuer(monnify, options),
    notifications: createNotifications(options),
    lookup: createLookup(monnify),
    ...(payouts && { payouts: createPayouts(monnify, payouts) }),
    check: () => check(monnify, payouts?.sourceAccountNumber),
  };
}

/** For a service that only pays out. */
export function createMonnifyPayoutPartner({ sourceAccountNumber, ...access }: MonnifyAccess & Wallet): PayoutPartner {
  const monnify = createClient(access);
  return {
    ...MONNIFY,
    payouts: createPayouts(monnify, { sourceAccountNumber }),
    check: () => check(monnify, sourceAccountNumber),
  };
}

/**
 * Neither the contract code nor that transfers need no one-time password can be tried without opening an account or moving
 * money.
 */
async function check(monnify: Monnify, sourceAccountNumber: string | undefined): Promise<PartnerCheck[]> {
  const checks = [checked("accounts", () => readAccounts(monnify)), checked("banks", () => readBanks(monnify))];
  if (sourceAccountNumber) checks.push(checked("wallet", () => readWallet(monnify, sourceAccountNumber)));
  return Promise.all(checks);
}

/** An account that does not exist: that Monnify says so proves the API key and the secret key. */
async function readAccounts(monnify: Monnify): Promise<string> {
  const failure = "Monnify did not accept the API key and the secret key, or does not let them read reserved accounts.";
  const path = `/api/v2/bank-transfer/reserved-accounts/check-${randomUUID()}`;
  const result = await monnify.request({ method: "GET", path, schema: Reservation, failure });
  if ("refusal" in result && result.refusal.reason !== "not_found") throw new Problem("provider_error", failure);
  return "Monnify accepts the keys and lets them read reserved accounts.";
}

async function readBanks(monnify: Monnify): Promise<string> {
  const missing = (await unlistedBanks(monnify)).map(({ name }) => name);
  return missing.length === 0 ? "Monnify reaches all of our banks." : `Monnify does not list ${missing.join(", ")}.`;
}

async function readWallet(monnify: Monnify, accountNumber: string): Promise<string> {
  const failure =
    "Monnify did not return the balance of the wallet: its account number is wrong, or transfers are not enabled.";
  const schema = z.object({ availableBalance: z.coerce.number() });
  const path = `/api/v2/disbursements/wallet-balance?${new URLSearchParams({ accountNumber })}`;
  const { availableBalance } = await monnify.call({ method: "GET", path, schema, failure });
  return `The wallet holds ${formatNaira(BigInt(Math.round(availableBalance * 100)))}.`;
}
