import { AccountNumber } from "@collect/contracts";
import { z } from "zod";
import type { CallBank, HttpResponse } from "../http-call.ts";
import { type BankReport, NotOpened, type PoolIssuer } from "../port.ts";
import { OptionalBankText } from "../text.ts";
import { confirmedTransfer, type SoughtTransfer } from "./transaction.ts";

const BANK = { bankCode: "101", bankName: "Providus Bank" };

export type IssuerOptions = {
  /** What the bank puts in front of the names of our accounts, as in `MERCHANT(Ngozi Eze)`. Absent if it puts nothing there. */
  businessName?: string;
};

/**
 * Reserved accounts, whose number the bank limits. The field for a BVN stays empty: an account is opened before its customer is
 * known. The bank names an account that it opens, but not one that it renames.
 */
export function createProvidusIssuer(call: CallBank, { businessName }: IssuerOptions): PoolIssuer {
  const shown = (accountName: string) => (businessName ? `${businessName}(${accountName})` : accountName);
  return {
    kind: "from_pool",
    needs: [],
    async openAccount({ accountName, signal }) {
      const opened = await call({
        method: "POST",
        path: "/api/PiPCreateReservedAccountNumber",
        body: { account_name: accountName, bvn: "" },
        read: (response) => refusalOf(response) ?? succeeded(OpenedAccount)(response),
        failure: "The partner bank did not return an account. One may have been opened.",
        unsent: NOT_SENT,
        signal,
      });
      if (opened instanceof NotOpened) throw opened;
      return { ...BANK, accountNumber: opened.account_number, accountName: opened.account_name ?? shown(accountName) };
    },
    async renameAccount({ accountNumber, accountName, signal }) {
      await call({
        method: "POST",
        path: "/api/PiPUpdateAccountName",
        body: { account_number: accountNumber, account_name: accountName },
        read: succeeded(z.unknown()),
        failure: "The partner bank did not rename the account.",
        isRepeatable: true,
        signal,
      });
      return shown(accountName);
    },
  };
}

/** Looks up the transfer with this settlement id, or session id: undefined if the bank does not know it. */
export function findTransfer(call: CallBank, sought: SoughtTransfer): Promise<BankReport | undefined> {
  return call({
    method: "GET",
    path:
      "settlementId" in sought
        ? `/api/PiPverifyTransaction_settlementid?settlement_id=${encodeURIComponent(sought.settlementId)}`
        : `/api/PiPverifyTransaction?session_id=${encodeURIComponent(sought.sessionId)}`,
    read: (response) => confirmedTransfer(sought, bodyOf(response)),
    failure: "The partner bank did not confirm the transfer.",
    isRepeatable: true,
  });
}

/** Its check digit proves nothing that the bank does not say itself, and an account that is refused here is lost at the bank. */
const OpenedAccount = z.object({ account_number: AccountNumber, account_name: OptionalBankText });

const NOT_SENT = new NotOpened("the bank could not be reached");

/**
 * Codes of an opening that leave room for doubt: in progress, duplicates, time-outs, failures of a system. Every other code refuses,
 * because the bank does not publish the one for its limit. If it opened an account all the same, that has no owner, and money for it is in suspense.
 */
const IN_DOUBT = ["09", "26", "68", "91", "92", "94", "96", "97", "505", "999", "7709", "7799", "8803"];
const Refused = z.object({
  requestSuccessful: z.literal(false),
  responseCode: z.string().regex(/^\d{2,4}$/),
  account_number: z.literal("").nullish(),
});

function refusalOf(response: HttpResponse): NotOpened | undefined {
  const { data } = Refused.safeParse(bodyOf(response));
  if (!data || data.responseCode === "00" || IN_DOUBT.includes(data.responseCode)) return undefined;
  return new NotOpened(`the bank refused with code ${data.responseCode}`);
}

const Succeeded = z.object({ requestSuccessful: z.literal(true), responseCode: z.literal("00") });

const succeeded =
  <Output>(schema: z.ZodType<Output>) =>
  (response: HttpResponse): Output => {
    const body = bodyOf(response);
    Succeeded.parse(body);
    return schema.parse(body);
  };

function bodyOf({ status, json }: HttpResponse): unknown {
  if (status !== 200) throw new Error(`the partner bank answered ${status}`);
  return json();
}
