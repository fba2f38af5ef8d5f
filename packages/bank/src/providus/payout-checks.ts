import { Problem } from "@collect/contracts";
import { z } from "zod";
import { BANKS } from "../banks.ts";
import { checked } from "../checked.ts";
import { nipCodeOf } from "../nip-codes.ts";
import type { PartnerCheck } from "../port.ts";
import { Answer, type Ask, createPayoutCall } from "./payout-call.ts";
import type { ProvidusPayoutOptions } from "./payouts.ts";

/** What is tried to prove the credentials of the transfer service without moving money. */
export function createPayoutChecks(options: ProvidusPayoutOptions): (() => Promise<PartnerCheck>)[] {
  const ask = createPayoutCall(options);
  return [
    () => checked("payouts", () => askForSource(ask, options.sourceAccountNumber)),
    () => checked("payouts to other banks", () => askForBanks(ask)),
  ];
}

/** The answer also has the account's balance and a person's data, which are not read. */
async function askForSource(ask: Ask, accountNumber: string): Promise<string> {
  await ask({
    path: "/GetProvidusAccount",
    fields: { accountNumber },
    read: (answer) => Source.extend({ accountNumber: z.literal(accountNumber) }).parse(answer),
    failure: "The bank did not accept the user name and password, or does not know the account to debit.",
  });
  return "The bank accepts the user name and password, and knows the account to debit.";
}

/** Banks come and go: a payout to one that is not listed would fail. */
async function askForBanks(ask: Ask): Promise<string> {
  const listed = await ask({
    path: "/GetNIPBanks",
    read: (answer) => NipBanks.parse(answer).banks.map(({ bankCode }) => bankCode),
    failure: "The bank did not return its list of banks.",
  });
  const missing = BANKS.filter(({ code }) => !listed.includes(nipCodeOf(code) ?? ""));
  if (missing.length === 0) return "The bank lists every bank that money can be sent to.";
  throw new Problem("provider_error", `The bank does not list ${missing.map(({ name }) => name).join(", ")}.`);
}

const Source = Answer.extend({ responseCode: z.literal("00") });
const NipBanks = Source.extend({ banks: z.array(z.object({ bankCode: z.string() })).min(1) });
