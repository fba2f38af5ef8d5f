// Written by `npm run document` from openapi.json.

import type { Body, Call, Query } from "../src/operations.ts";

export const methodsOf = (call: Call) => ({
  /** Returns the Collected and Settled balances in the mode of the key. Counts against the merchant's 600 reads in any 60 minutes. */
  getBalance: () => call("getBalance"),
  /** Issues a customer's permanent account number, or returns the existing one. 201 when it is created, 200 with its current state when it already exists. 300 calls in any 60 minutes, successful or not. */
  issueCustomerAccount: (body: Body<"issueCustomerAccount">) => call("issueCustomerAccount", { body }),
  /** Lists customer accounts, newest first. Counts against the merchant's 600 reads in any 60 minutes. */
  listCustomerAccounts: (query?: Query<"listCustomerAccounts">) => call("listCustomerAccounts", { query }),
  /** Returns a customer's account. Counts against the merchant's 600 reads in any 60 minutes. */
  getCustomerAccount: (customer_reference: string) => call("getCustomerAccount", { path: { customer_reference } }),
  /** Creates a payment session, or returns the one created with the same reference. 201 when it is created, 200 with its current state when it already exists. Send your own `reference`: only then is the call idempotent, and retried automatically. */
  openPayment: (body: Body<"openPayment">) => call("openPayment", { body }),
  /** Returns a payment session and the collections that paid it. Counts against the merchant's 600 reads in any 60 minutes. */
  getPayment: (reference: string) => call("getPayment", { path: { reference } }),
  /** Not available yet: USDT requires an exchange partner. Send your own `reference`: only then is the call idempotent, and retried automatically. */
  openCryptoPayment: (body: Body<"openCryptoPayment">) => call("openCryptoPayment", { body }),
  /** Lists the banks that transfers can be sent to. Counts against the merchant's 600 reads in any 60 minutes. */
  listBanks: () => call("listBanks"),
  /** Returns the name of a bank account's holder. 60 calls in any 60 minutes, successful or not. */
  resolveAccount: (body: Body<"resolveAccount">) => call("resolveAccount", { body }),
  /** Sends money from Settled to a bank account, once for each reference. 201 when it is created, 200 with its current state when it already exists. */
  createTransfer: (body: Body<"createTransfer">) => call("createTransfer", { body }),
  /** Lists transfers, newest first. Counts against the merchant's 600 reads in any 60 minutes. */
  listTransfers: (query?: Query<"listTransfers">) => call("listTransfers", { query }),
  /** Returns a transfer. Counts against the merchant's 600 reads in any 60 minutes. */
  getTransfer: (reference: string) => call("getTransfer", { path: { reference } }),
  /** Simulates a transfer into a customer's account. Test keys only. Never retried automatically. */
  simulatePayment: (customer_reference: string, body: Body<"simulatePayment">) => call("simulatePayment", { path: { customer_reference }, body }),
  /** Simulates a transfer into a collection account. Test keys only. Never retried automatically. */
  sandboxPay: (body: Body<"sandboxPay">) => call("sandboxPay", { body }),
  /** Creates a session with a public key. Browsers call the same endpoint on the checkout host, which allows CORS. 201 when it is created, 200 with its current state when it already exists. At most 600 calls a minute per merchant, across all callers. Send your own `reference`: only then is the call idempotent, and retried automatically. */
  openCheckout: (body: Body<"openCheckout">) => call("openCheckout", { body }),
});
