import { AccountNumber } from "@collect/contracts";
import { z } from "zod";
import type { CallBank, HttpResponse } from "../http-call.ts";
import { isNuban } from "../nuban.ts";
import type { BankReport, PoolIssuer } from "../port.ts";
import { BankText } from "../text.ts";
import { confirmedTransfer } from "./transaction.ts";

const BANK = { bankCode: "101", bankName: "Providus Bank" };

/**
 * Reserved accounts, whose number the bank limits. It puts our business in front of the name that we ask for. The field for a
 * BVN stays empty: an account is opened before its customer is known.
 */
export function createProvidusIssuer(call: CallBank): PoolIssuer {
  return {
    kind: "from_pool",
    needs: [],
    async openAccount({ accountName, signal }) {
      const opened = await call({
        method: "POST",
        path: "/api/PiPCreateReservedAccountNumber",
        body: { account_name: accountName, bvn: "" },
        read: succeeded(OpenedAccount),
        failure: "The partner bank did not return an account. One may have been opened.",
        signal,
      });
      return { ...BANK, accountNumber: opened.account_number, accountName: opened.account_name };
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
    },
  };
}

/** Looks up the transfer with this settlement id: undefined if the bank does not know it. */
export function findTransfer(call: CallBank, settlementId: string): Promise<BankReport | undefined> {
  return call({
    method: "GET",
    path: `/api/PiPverifyTransaction_settlementid?settlement_id=${encodeURIComponent(settlementId)}`,
    read: (response) => confirmedTransfer(settlementId, bodyOf(response)),
    failure: "The partner bank did not confirm the transfer.",
    isRepeatable: true,
  });
}

const OpenedAccount = z.object({
  account_number: AccountNumber.refine((number) => isNuban(BANK.bankCode, number), "is not an account of the bank"),
  account_name: BankText.refine((name) => name !== "", "is empty"),
});

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
