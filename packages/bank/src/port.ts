/** A bank's code and name never change while it runs. */
export type Bank = {
  /** Three digits, or six in the newer scheme. */
  code: string;
  name: string;
};

/** What the house needs of a bank that holds its customers' accounts. */
export type AccountIssuer = Bank & {
  /**
   * Opens an account in this name, or answers with the one opened before under the same request id: safe to repeat.
   * Throws the Problem `provider_timeout` when it is unknown whether the bank did it, `provider_error` when its answer
   * is a refusal or cannot be trusted.
   */
  issueAccount(request: { requestId: string; accountName: string; signal?: AbortSignal }): Promise<IssuedAccount>;
};

export type IssuedAccount = { accountNumber: string; accountName: string };

/** What the house needs of a bank through which it sends money. */
export type PayoutBank = Bank & {
  /**
   * In whose name an account of any bank stands; undefined when there is none. Throws the Problem `provider_timeout` or
   * `provider_error`.
   */
  nameOf(account: { bankCode: string; accountNumber: string }): Promise<string | undefined>;
  /**
   * Sends money. Whatever it throws, it is unknown whether the bank has acted: then it is enquired about, never sent again.
   */
  pay(payout: Payout): Promise<PayoutState>;
  /** How a payout stands, asked by its id; undefined when the bank has never heard of it. Throws like `nameOf`. */
  enquire(payout: Payout): Promise<PayoutState | undefined>;
};

/** Under our own id, so that the bank can tell a repeat. Amount in kobo. */
export type Payout = {
  id: string;
  bankCode: string;
  accountNumber: string;
  amount: bigint;
  narration: string | null;
};

export type PayoutState = {
  status: "pending" | "success" | "failed" | "reversed";
  /** The bank's reason, when it failed or was reversed. */
  failureCode: string | null;
  failureReason: string | null;
};
