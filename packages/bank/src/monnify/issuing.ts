import { AccountNumber, Problem } from "@collect/contracts";
import { z } from "zod";
import type { AccountRequest, IssuedAccount, RequestIssuer } from "../port.ts";
import { BankText } from "../text.ts";
import { bankByMonnifyCode } from "./bank-codes.ts";
import { type Monnify, refused } from "./client.ts";

/** A customer can get an account at several banks, and one of them is given out: the first of these, or the lowest code. */
const PREFERRED_BANKS = ["50515", "035", "232"];

/**
 * Monnify knows a customer by an email address, and allows each so many accounts, so every account has an address of its own,
 * to which no mail can be sent: the domain is reserved (RFC 2606).
 */
const EMAIL_DOMAIN = "customers.invalid";

const FAILURE = "The partner bank could not issue the account. It is safe to repeat the call.";

/** Reserves accounts. The request id is Monnify's account reference: asking for it first makes the call safe to repeat. */
export function createIssuer(monnify: Monnify, { contractCode }: { contractCode: string }): RequestIssuer {
  /** Undefined if nothing is reserved under this reference. */
  async function reserved(reference: string, signal: AbortSignal): Promise<IssuedAccount | undefined> {
    const path = `/api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reference)}`;
    const result = await monnify.request({ method: "GET", path, schema: Reservation, failure: FAILURE, signal });
    if ("body" in result) return accountOf(result.body, reference);
    if (result.refusal.reason === "not_found") return undefined;
    throw refused(FAILURE, result.refusal);
  }

  async function reserve(request: AccountRequest, signal: AbortSignal): Promise<IssuedAccount> {
    const { requestId } = request;
    const path = "/api/v2/bank-transfer/reserved-accounts";
    const body = { ...reservationOf(request), contractCode };
    const result = await monnify.request({ method: "POST", path, body, schema: Reservation, failure: FAILURE, signal });
    if ("body" in result) return accountOf(result.body, requestId);
    const { reason } = result.refusal;
    // A concurrent duplicate, or an earlier call whose result was lost, came first.
    const existing = reason === "reference_taken" ? await reserved(requestId, signal) : undefined;
    if (existing) return existing;
    throw refused(reason === "identity" ? "The partner bank refused the BVN or NIN." : FAILURE, result.refusal);
  }

  return {
    kind: "by_request",
    needs: ["bvn", "nin"],
    async issueAccount(request) {
      const signal = monnify.deadline(request.signal);
      return (await reserved(request.requestId, signal)) ?? reserve(request, signal);
    },
  };
}

function reservationOf({ requestId, accountName, identity }: AccountRequest) {
  if (!identity?.bvn && !identity?.nin)
    throw new Problem("identity_required", "The partner bank issues accounts for a BVN or a NIN: send one of them.");
  return {
    accountReference: requestId,
    accountName,
    currencyCode: "NGN",
    customerName: accountName,
    customerEmail: `${requestId}@${EMAIL_DOMAIN}`,
    ...identity,
    getAllAvailableBanks: true,
  };
}

/** What is reserved under one reference. The name is the bank's, where it says one: it may shorten ours. */
export const Reservation = z.object({
  accountReference: z.string(),
  accountName: BankText,
  status: z.literal("ACTIVE").nullish(),
  accounts: z
    .array(
      z.object({
        bankCode: z.string(),
        bankName: BankText,
        accountNumber: AccountNumber,
        accountName: BankText.nullish(),
      }),
    )
    .max(100),
});
type Reservation = z.output<typeof Reservation>;

/** The account that is given out. Monnify's accounts do not all carry the check digit of the bank they are at (?). */
function accountOf(reservation: Reservation, reference: string): IssuedAccount {
  if (reservation.accountReference !== reference) throw new Problem("provider_error", FAILURE);
  const account = givenAccount(reservation);
  const bank = account && bankByMonnifyCode(account.bankCode);
  if (!account || !bank)
    throw new Problem("provider_error", FAILURE, { cause: new Error("no account at a bank in BANKS") });
  return {
    accountNumber: account.accountNumber,
    accountName: account.accountName || reservation.accountName,
    bankCode: bank.code,
    bankName: bank.name,
  };
}

/** The same one whatever the order in which Monnify lists them. */
export function givenAccount({ accounts }: Omit<Reservation, "status">): Reservation["accounts"][number] | undefined {
  const rank = ({ bankCode }: { bankCode: string }) => {
    const preferred = PREFERRED_BANKS.indexOf(bankCode);
    return preferred === -1 ? `~${bankCode}` : `${preferred}`;
  };
  return accounts
    .filter(({ bankCode }) => bankByMonnifyCode(bankCode))
    .toSorted((one, other) =>
      `${rank(one)} ${one.accountNumber}` < `${rank(other)} ${other.accountNumber}` ? -1 : 1,
    )[0];
}
