import { Problem } from "@collect/contracts";
import { z } from "zod";
import { checked } from "../checked.ts";
import type { PartnerCheck } from "../port.ts";
import { type CallTransfers, CodedResponse, createTransferCall } from "./payout-call.ts";
import type { ProvidusPayoutOptions } from "./payouts.ts";
import { unlistedBanks } from "./unlisted-banks.ts";

/** What is tried to prove the credentials of the transfer service without moving money. */
export function createPayoutChecks(options: ProvidusPayoutOptions): (() => Promise<PartnerCheck>)[] {
  const call = createTransferCall(options);
  return [
    () => checked("payouts", () => findSource(call, options.sourceAccountNumber)),
    () => checked("payouts to other banks", () => compareBanks(call)),
  ];
}

/** The response also has the account's balance and a person's data, which are not read. */
async function findSource(call: CallTransfers, accountNumber: string): Promise<string> {
  await call({
    path: "/GetProvidusAccount",
    fields: { accountNumber },
    read: (response) => Source.extend({ accountNumber: z.literal(accountNumber) }).parse(response),
    failure: "The bank did not accept the user name and password, or does not know the account to debit.",
  });
  return "The bank accepts the user name and password, and knows the account to debit.";
}

async function compareBanks(call: CallTransfers): Promise<string> {
  const missing = await unlistedBanks(call);
  if (missing.length === 0) return "The bank lists every bank that money can be sent to.";
  throw new Problem("provider_error", `The bank does not list ${missing.map(({ name }) => name).join(", ")}.`);
}

const Source = CodedResponse.extend({ responseCode: z.literal("00") });
