import {
  createTransfer,
  getBalance,
  getCheckout,
  getCustomerAccount,
  getPayment,
  getTransfer,
  giveCheckoutDetails,
  issueCustomerAccount,
  listBanks,
  listCustomerAccounts,
  listTransfers,
  openCheckout,
  openCryptoPayment,
  openPayment,
  type ProblemCode,
  type RequestContract,
  reportCheckoutSent,
  resolveAccount,
  sandboxPay,
  simulatePayment,
  type WireResult,
} from "@collect/contracts";
import type { Budget, PublicLimit } from "./domain/rate-limit.ts";

/** A row of the merchant API: a route, who may call it, and the request of which its answer is made. */
export type Endpoint<Contract extends RequestContract = RequestContract> = {
  /** What the operation is called in the document, and so in the SDK. */
  name: string;
  method: "GET" | "POST";
  path: `/${string}`;
  /** Whose calls it takes. `none`: whoever knows the reference of the session. */
  key: "secret" | "public" | "none";
  /** The hourly budget of its merchant that a call with a secret key spends. */
  budget?: Budget;
  /** What limits a call without a secret key: of one session, or of the public key's merchant. */
  limit?: PublicLimit;
  testOnly?: true;
  /** The index lists the specification's twelve and nothing else. */
  unlisted?: true;
  request: Contract;
  /** The field of the reply that is the answer: 201 if the reply says `created`, else 200. Without it 200 and the whole reply. */
  created?: keyof WireResult<Contract> & string;
  /** It can be refused only, for the time being. */
  unavailable?: true;
  /** One sentence for the document. */
  summary: string;
  /** What the service behind may refuse it with, besides what follows from the key, the budget and the method. */
  problems?: readonly ProblemCode[];
};

const BANK_FAILS = ["provider_error", "provider_timeout"] as const;

/** The specification's endpoints in its order, as the index lists them; then the simulators; then what payers may call. */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    name: "getBalance",
    method: "GET",
    path: "/balance",
    key: "secret",
    budget: "reads",
    request: getBalance,
    summary: "Collected and Settled, in the mode of the key.",
  }),
  endpoint({
    name: "issueCustomerAccount",
    method: "POST",
    path: "/customer_accounts",
    key: "secret",
    budget: "accounts",
    request: issueCustomerAccount,
    created: "account",
    summary: "Issues a customer's one permanent account number, or answers with the one there is.",
    problems: BANK_FAILS,
  }),
  endpoint({
    name: "listCustomerAccounts",
    method: "GET",
    path: "/customer_accounts",
    key: "secret",
    budget: "reads",
    request: listCustomerAccounts,
    summary: "Lists customer accounts, newest first.",
  }),
  endpoint({
    name: "getCustomerAccount",
    method: "GET",
    path: "/customer_accounts/:customer_reference",
    key: "secret",
    budget: "reads",
    request: getCustomerAccount,
    summary: "Shows the account of one customer.",
  }),
  endpoint({
    name: "openPayment",
    method: "POST",
    path: "/payments",
    key: "secret",
    request: openPayment,
    created: "payment",
    summary: "Opens a checkout session, or answers with the one opened under the same reference.",
    problems: ["account_retired", "amount_over_limit", "amount_slots_exhausted", ...BANK_FAILS],
  }),
  endpoint({
    name: "getPayment",
    method: "GET",
    path: "/payments/:reference",
    key: "secret",
    budget: "reads",
    request: getPayment,
    summary: "Shows a session and the collections that paid it.",
  }),
  endpoint({
    name: "openCryptoPayment",
    method: "POST",
    path: "/payments/crypto",
    key: "secret",
    request: openCryptoPayment,
    unavailable: true,
    summary: "Refused for the time being: USDT waits for an exchange partner.",
    problems: ["crypto_unavailable"],
  }),
  endpoint({
    name: "listBanks",
    method: "GET",
    path: "/banks",
    key: "secret",
    budget: "reads",
    request: listBanks,
    summary: "Lists the banks that money can be sent to.",
  }),
  endpoint({
    name: "resolveAccount",
    method: "POST",
    path: "/transfers/resolve",
    key: "secret",
    budget: "resolves",
    request: resolveAccount,
    summary: "Asks the bank in whose name an account stands.",
    problems: ["account_unresolved", ...BANK_FAILS],
  }),
  endpoint({
    name: "createTransfer",
    method: "POST",
    path: "/transfers",
    key: "secret",
    request: createTransfer,
    created: "transfer",
    summary: "Sends money from Settled to a bank account, once for each reference.",
    problems: ["reference_conflict", "insufficient_balance", "account_unresolved", ...BANK_FAILS],
  }),
  endpoint({
    name: "listTransfers",
    method: "GET",
    path: "/transfers",
    key: "secret",
    budget: "reads",
    request: listTransfers,
    summary: "Lists transfers, newest first.",
  }),
  endpoint({
    name: "getTransfer",
    method: "GET",
    path: "/transfers/:reference",
    key: "secret",
    budget: "reads",
    request: getTransfer,
    summary: "Shows one transfer.",
  }),
  endpoint({
    name: "simulatePayment",
    method: "POST",
    path: "/customer_accounts/:customer_reference/simulate_payment",
    key: "secret",
    testOnly: true,
    unlisted: true,
    request: simulatePayment,
    summary: "Lets test money arrive in one customer's account.",
    problems: ["account_retired", "rate_limited"],
  }),
  endpoint({
    name: "sandboxPay",
    method: "POST",
    path: "/sandbox/pay",
    key: "secret",
    testOnly: true,
    unlisted: true,
    request: sandboxPay,
    summary: "Lets test money arrive in a collection account.",
    problems: ["not_found", "account_retired", "rate_limited"],
  }),
  endpoint({
    name: "getCheckout",
    method: "GET",
    path: "/checkout/:reference",
    key: "none",
    limit: "checkout_reads",
    unlisted: true,
    request: getCheckout,
    summary: "Shows the payer a session; meant to be polled.",
  }),
  endpoint({
    name: "giveCheckoutDetails",
    method: "POST",
    path: "/checkout/:reference/details",
    key: "none",
    limit: "checkout_details",
    unlisted: true,
    request: giveCheckoutDetails,
    summary: "Takes the payer's name and email, after which the session shows its account.",
    problems: ["details_already_given"],
  }),
  endpoint({
    name: "reportCheckoutSent",
    method: "POST",
    path: "/checkout/:reference/sent",
    key: "none",
    limit: "checkout_sent",
    unlisted: true,
    request: reportCheckoutSent,
    summary: "Takes the payer's word that the money is sent.",
  }),
  endpoint({
    name: "openCheckout",
    method: "POST",
    path: "/checkout",
    key: "public",
    limit: "checkout_openings",
    unlisted: true,
    request: openCheckout,
    created: "checkout",
    summary: "Opens a session with a public key. Browsers call the same on the checkout host, where CORS is open.",
    problems: ["amount_over_limit", "amount_slots_exhausted", ...BANK_FAILS],
  }),
];

function endpoint<Contract extends RequestContract>(row: Endpoint<Contract>): Endpoint {
  return row;
}
