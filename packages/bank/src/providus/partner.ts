import { randomUUID } from "node:crypto";
import { checked } from "../checked.ts";
import { type CallBank, createHttpCall } from "../http-call.ts";
import type { BankPartner, PoolIssuer } from "../port.ts";
import { createProvidusIssuer, findTransfer } from "./collections.ts";
import { createProvidusNotifications } from "./notifications.ts";
import { createPayoutChecks } from "./payout-checks.ts";
import { createProvidusPayouts, type ProvidusPayoutOptions } from "./payouts.ts";
import { CLIENT_HEADER, type ProvidusCredentials, providusSignature, SIGNATURE_HEADER } from "./signature.ts";

export type ProvidusOptions = ProvidusCredentials & {
  /** The base URL of the bank's collection service, above `/api`. */
  url: string;
  timeoutMs: number;
  /** Absent if no payout goes through this bank. */
  payouts?: ProvidusPayoutOptions;
};

export type ProvidusPartner = BankPartner & { issuer: PoolIssuer };

/** Providus Bank: accounts from a pool, reports that it confirms when asked, and payouts over NIP and within the bank. */
export function createProvidus({ url, timeoutMs, payouts, ...credentials }: ProvidusOptions): ProvidusPartner {
  const { clientId, clientSecret } = credentials;
  const signed = { [CLIENT_HEADER]: clientId, [SIGNATURE_HEADER]: providusSignature(clientId, clientSecret) };
  const call = createHttpCall({ url, timeoutMs, sign: () => signed });
  const payoutChecks = payouts ? createPayoutChecks(payouts) : [];
  return {
    id: "providus",
    name: "Providus Bank",
    issuer: createProvidusIssuer(call),
    notifications: createProvidusNotifications(credentials, (id) => findTransfer(call, id)),
    ...(payouts && { payouts: createProvidusPayouts(payouts) }),
    check: () =>
      Promise.all([checked("collections", () => proveCredentials(call)), ...payoutChecks.map((check) => check())]),
  };
}

/** A transfer that does not exist is looked up: an answer proves the credentials. */
async function proveCredentials(call: CallBank): Promise<string> {
  await findTransfer(call, `check-${randomUUID()}`);
  return "The bank accepts the client id and secret.";
}
