// Written by `npm run document` from openapi.json.

import type { Body, Call, Query } from "../src/operations.ts";

export const methodsOf = (call: Call) => ({
  /** Collected and Settled, in the mode of the key. Shares the merchant's 600 reads in any 60 minutes. */
  getBalance: () => call("getBalance"),
  /** Issues a customer's one permanent account number, or answers with the one there is. 201 when it is new, 200 with the same body when it is known. 300 calls in any 60 minutes, whatever their outcome. */
  issueCustomerAccount: (body: Body<"issueCustomerAccount">) => call("issueCustomerAccount", { body }),
  /** Lists customer accounts, newest first. Shares the merchant's 600 reads in any 60 minutes. */
  listCustomerAccounts: (query?: Query<"listCustomerAccounts">) => call("listCustomerAccounts", { query }),
  /** Shows the account of one customer. Shares the merchant's 600 reads in any 60 minutes. */
  getCustomerAccount: (customer_reference: string) => call("getCustomerAccount", { path: { customer_reference } }),
  /** Opens a checkout session, or answers with the one opened under the same reference. 201 when it is new, 200 with the same body when it is known. Send a `reference` of your own: only then is a repeat the same, and only then is it repeated by itself. */
  openPayment: (body: Body<"openPayment">) => call("openPayment", { body }),
  /** Shows a session and the collections that paid it. Shares the merchant's 600 reads in any 60 minutes. */
  getPayment: (reference: string) => call("getPayment", { path: { reference } }),
  /** Refused for the time being: USDT waits for an exchange partner. Send a `reference` of your own: only then is a repeat the same, and only then is it repeated by itself. */
  openCryptoPayment: (body: Body<"openCryptoPayment">) => call("openCryptoPayment", { body }),
  /** Lists the banks that money can be sent to. Shares the merchant's 600 reads in any 60 minutes. */
  listBanks: () => call("listBanks"),
  /** Asks the bank in whose name an account stands. 60 calls in any 60 minutes, whatever their outcome. */
  resolveAccount: (body: Body<"resolveAccount">) => call("resolveAccount", { body }),
  /** Sends money from Settled to a bank account, once for each reference. 201 when it is new, 200 with the same body when it is known. */
  createTransfer: (body: Body<"createTransfer">) => call("createTransfer", { body }),
  /** Lists transfers, newest first. Shares the merchant's 600 reads in any 60 minutes. */
  listTransfers: (query?: Query<"listTransfers">) => call("listTransfers", { query }),
  /** Shows one transfer. Shares the merchant's 600 reads in any 60 minutes. */
  getTransfer: (reference: string) => call("getTransfer", { path: { reference } }),
  /** Lets test money arrive in one customer's account. Test keys only. Never repeated by itself. */
  simulatePayment: (customer_reference: string, body: Body<"simulatePayment">) => call("simulatePayment", { path: { customer_reference }, body }),
  /** Lets test money arrive in a collection account. Test keys only. Never repeated by itself. */
  sandboxPay: (body: Body<"sandboxPay">) => call("sandboxPay", { body }),
  /** Opens a session with a public key. Browsers call the same on the checkout host, where CORS is open. 201 when it is new, 200 with the same body when it is known. At most 600 calls a minute for one merchant, from all callers together. Send a `reference` of your own: only then is a repeat the same, and only then is it repeated by itself. */
  openCheckout: (body: Body<"openCheckout">) => call("openCheckout", { body }),
});
