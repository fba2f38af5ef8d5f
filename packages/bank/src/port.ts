/** A bank's code and name never change at runtime. */
type Bank = {
  /** Three digits, or six in the newer scheme. */
  code: string;
  name: string;
};

/** The port to a bank that issues our customers' accounts. */
export type AccountIssuer = Bank & {
  /**
   * Opens an account in this name, or returns the one opened earlier under the same request id: safe to repeat. Throws
   * the Problem `provider_timeout` if it is unknown whether the bank opened it, `provider_error` if its response is a
   * refusal or invalid.
   */
  issueAccount(request: { requestId: string; accountName: string; signal?: AbortSignal }): Promise<IssuedAccount>;
};

type IssuedAccount = { accountNumber: string; accountName: string };

/** The port to a bank that sends payouts. */
export type PayoutBank = Bank & {
  /**
   * The account holder's name, for an account at any bank; undefined if the account does not exist. Throws the Problem
   * `provider_timeout` or `provider_error`.
   */
  nameOf(account: { bankCode: string; accountNumber: string }): Promise<string | undefined>;
  /**
   * Sends money. If it throws, it is unknown whether the bank has acted: look the payout up, never send it again.
   */
  pay(payout: Payout): Promise<PayoutState>;
  /** Looks up a payout's status by its id; undefined if the bank does not know it. Throws like `nameOf`. */
  enquire(payout: Payout): Promise<PayoutState | undefined>;
};

/** Has our own id, so that the bank can recognize a repeat. Amount in kobo. */
export type Payout = {
  id: string;
  bankCode: string;
  accountNumber: string;
  amount: bigint;
  narration: string | null;
};

export type PayoutState = {
  status: "pending" | "success" | "failed" | "reversed";
  /** The bank's reason, if it failed or was reversed. */
  failureCode: string | null;
  failureReason: string | null;
};
