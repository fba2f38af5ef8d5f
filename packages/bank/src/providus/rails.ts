import { nipCodeOf } from "../nip-codes.ts";
import type { Payout } from "../port.ts";

export type PayoutSource = {
  /** The account that payouts within the bank are debited from. NIP debits the account of the credentials. */
  sourceAccountNumber: string;
  /** The sender's name, as beneficiaries at other banks see it. */
  sourceAccountName: string;
};

/** How a payout travels: the methods of the transfer service, with the fields that differ. */
export type Rail = {
  holder: { path: string; fields(accountNumber: string): object };
  order: { path: string; fields(payout: Payout): object };
};

const PROVIDUS = "101";

/** Within the bank to its own accounts, over NIP to others. Undefined for a bank that is not on NIP. */
export function railOf(bankCode: string, source: PayoutSource): Rail | undefined {
  if (bankCode === PROVIDUS) return withinProvidus(source);
  const nipCode = nipCodeOf(bankCode);
  return nipCode === undefined ? undefined : overNip(nipCode, source);
}

/** The method that enquires about a payout which was ordered. */
export const statusPathOf = (bankCode: string): string =>
  bankCode === PROVIDUS ? "/GetProvidusTransactionStatus" : "/GetNIPTransactionStatus";

const withinProvidus = ({ sourceAccountNumber }: PayoutSource): Rail => ({
  holder: { path: "/GetProvidusAccount", fields: (accountNumber) => ({ accountNumber }) },
  order: {
    path: "/ProvidusFundTransfer",
    fields: ({ accountNumber }) => ({ creditAccount: accountNumber, debitAccount: sourceAccountNumber }),
  },
});

const overNip = (beneficiaryBank: string, { sourceAccountName }: PayoutSource): Rail => ({
  holder: { path: "/GetNIPAccount", fields: (accountNumber) => ({ accountNumber, beneficiaryBank }) },
  order: {
    path: "/NIPFundTransfer",
    fields: ({ accountNumber, accountName }) => ({
      sourceAccountName,
      beneficiaryAccountName: accountName,
      beneficiaryAccountNumber: accountNumber,
      beneficiaryBank,
    }),
  },
});
