import { randomUUID } from "node:crypto";
import { AccountNumber } from "@collect/contracts";
import { z } from "zod";
import { checked } from "../checked.ts";
import type { CallBank } from "../http-call.ts";
import { isNuban } from "../nuban.ts";
import type { BankPartner, PayoutBank, PayoutPartner, RequestIssuer } from "../port.ts";
import { createLocalNotifications, type LocalNotifications } from "./notifications.ts";
import { createLocalPayouts } from "./payouts.ts";
import { createSignedCall, found, ok, type SignedCallOptions } from "./signed-call.ts";

type LocalBank = SignedCallOptions & {
  /** The code of our partner bank, which is also its id. A response for another bank is rejected. */
  code: string;
  name: string;
};

export type LocalPartnerOptions = LocalBank & {
  /** The secrets with which the bank signs what it reports. */
  doorSecrets: readonly string[];
};

export type LocalPartner = Omit<BankPartner, "notifications"> & {
  issuer: RequestIssuer;
  notifications: LocalNotifications;
  payouts: PayoutBank;
};

/** A bank that speaks our own protocol. The request id makes opening an account safe to repeat after any Problem. */
export function createLocalPartner(options: LocalPartnerOptions): LocalPartner {
  const { code, name, doorSecrets } = options;
  const call = createSignedCall(options);
  return {
    id: code,
    name,
    notifications: createLocalNotifications(doorSecrets),
    payouts: createLocalPayouts(options),
    issuer: {
      kind: "by_request",
      needs: [],
      async issueAccount({ requestId, accountName, signal }) {
        const response = await call({
          method: "POST",
          path: "/accounts",
          body: { request_id: requestId, account_name: accountName },
          read: ok(accountResponse(code, accountName)),
          failure: "The partner bank could not issue the account.",
          isRepeatable: true,
          signal,
        });
        const { account_number: accountNumber, account_name } = response;
        return { accountNumber, accountName: account_name, bankCode: code, bankName: name };
      },
    },
    check: async () => [await checked("signature", () => proveCredentials(call))],
  };
}

/** For a service that only pays out. */
export function createLocalPayoutPartner({ code, name, ...options }: LocalBank): PayoutPartner {
  const call = createSignedCall(options);
  return {
    ...{ id: code, name },
    payouts: createLocalPayouts(options),
    check: async () => [await checked("signature", () => proveCredentials(call))],
  };
}

/** A payout that does not exist is looked up: an answer proves the signature. */
async function proveCredentials(call: CallBank): Promise<string> {
  await call({
    method: "GET",
    path: `/payouts/check-${randomUUID()}`,
    read: found(z.unknown()),
    failure: "The partner bank did not accept a signed call.",
  });
  return "The bank accepts our signature.";
}

/** Rejects an account of another bank or with another name. */
const accountResponse = (code: string, accountName: string) =>
  z.object({
    account_number: AccountNumber.refine((number) => isNuban(code, number), "is not an account number of the bank"),
    account_name: z.string().refine((name) => name === accountName, "is another name"),
    bank_code: z.literal(code),
  });
