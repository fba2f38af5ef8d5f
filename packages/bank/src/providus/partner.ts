import { randomUUID } from "node:crypto";
import { checked } from "../checked.ts";
import { type CallBank, createHttpCall } from "../http-call.ts";
import type { BankPartner, PayoutPartner, PoolIssuer, TransferLookup } from "../port.ts";
import { createProvidusIssuer, findTransfer, type IssuerOptions } from "./collections.ts";
import { createProvidusNotifications, type ProvidusNotifications } from "./notifications.ts";
import { createPayoutChecks } from "./payout-checks.ts";
import { createProvidusPayouts, type ProvidusPayoutOptions } from "./payouts.ts";
import { CLIENT_HEADER, type ProvidusCredentials, providusSignature, SIGNATURE_HEADER } from "./signature.ts";

export type ProvidusOptions = ProvidusCredentials &
  IssuerOptions & {
    /** The base URL of the bank's collection service, above `/api`. */
    url: string;
    timeoutMs: number;
    /** Absent if no payout goes through this bank. */
    payouts?: ProvidusPayoutOptions;
  };

const PROVIDUS = { id: "providus", name: "Providus Bank" };

export type ProvidusPartner = Omit<BankPartner, "notifications"> & {
  issuer: PoolIssuer;
  lookup: TransferLookup;
  notifications: ProvidusNotifications;
};

/** Providus Bank: accounts from a pool, reports that it confirms when asked, and payouts over NIP and within the bank. */
export function createProvidus(options: ProvidusOptions): ProvidusPartner {
  const { url, timeoutMs, payouts, clientId, clientSecret } = options;
  const signed = { [CLIENT_HEADER]: clientId, [SIGNATURE_HEADER]: providusSignature(clientId, clientSecret) };
  const call = createHttpCall({ url, timeoutMs, sign: () => signed });
  const lookup: TransferLookup = {
    byId: (settlementId) => findTransfer(call, { settlementId }),
    bySession: (sessionId) => findTransfer(call, { sessionId }),
  };
  const payoutChecks = payouts ? createPayoutChecks(payouts) : [];
  return {
    ...PROVIDUS,
    issuer: createProvidusIssuer(call, options),
    notifications: createProvidusNotifications(options, lookup.byId),
    lookup,
    ...(payouts && { payouts: createProvidusPayouts(payouts) }),
    check: () =>
      Promise.all([checked("collections", () => proveCredentials(call)), ...payoutChecks.map((check) => check())]),
  };
}

/** For a service that only pays out. */
export function createProvidusPayoutPartner(options: ProvidusPayoutOptions): PayoutPartner {
  const checks = createPayoutChecks(options);
  return {
    ...PROVIDUS,
    payouts: createProvidusPayouts(options),
    check: () => Promise.all(checks.map((check) => check())),
  };
}

/** A transfer that does not exist is looked up: an answer proves the credentials. */
async function proveCredentials(call: CallBank): Promise<string> {
  await findTransfer(call, { settlementId: `check-${randomUUID()}` });
  return "The bank accepts the client id and secret.";
}
