/** What the house needs of a bank that holds its customers' accounts. A bank's code and name never change while it runs. */
export type Bank = {
  /** Three digits, or six in the newer scheme. */
  code: string;
  name: string;
  /**
   * Opens an account in this name, or answers with the one opened before under the same request id: safe to repeat.
   * Throws the Problem `provider_timeout` when it is unknown whether the bank did it, `provider_error` when its answer
   * is a refusal or cannot be trusted.
   */
  issueAccount(request: { requestId: string; accountName: string; signal?: AbortSignal }): Promise<IssuedAccount>;
};

export type IssuedAccount = { accountNumber: string; accountName: string };
