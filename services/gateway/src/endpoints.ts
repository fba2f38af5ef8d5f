import {
  CreateTransfer,
  createTransfer,
  getBalance,
  getCheckout,
  getCustomerAccount,
  getPayment,
  getTransfer,
  giveCheckoutDetails,
  IssueCustomerAccount,
  issueCustomerAccount,
  ListCustomerAccounts,
  ListTransfers,
  listBanks,
  listCustomerAccounts,
  listTransfers,
  OpenCheckout,
  OpenPayment,
  openCheckout,
  openCryptoPayment,
  openPayment,
  PayerDetails,
  type RequestContract,
  ResolveAccount,
  reportCheckoutSent,
  resolveAccount,
  SandboxPay,
  SimulatePayment,
  sandboxPay,
  simulatePayment,
  type WireResult,
} from "@collect/contracts";
import type { Endpoint, ReadEndpoint, WriteEndpoint } from "./domain/endpoint.ts";

const BANK_FAILS = ["provider_error", "provider_timeout"] as const;

/**
 * The specification's endpoints in its order, as the index lists them, and later additions; then the simulators; then the
 * payers' endpoints.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  get("/balance", {
    name: "getBalance",
    key: "secret",
    budget: "reads",
    request: getBalance,
    summary: "Returns the Collected and Settled balances in the mode of the key.",
  }),
  post("/customer_accounts", {
    name: "issueCustomerAccount",
    key: "secret",
    budget: "accounts",
    request: issueCustomerAccount,
    fields: IssueCustomerAccount,
    created: "account",
    repeatable: "always",
    summary: "Issues a customer's permanent account number, or returns the existing one.",
    problems: BANK_FAILS,
  }),
  get("/customer_accounts", {
    name: "listCustomerAccounts",
    key: "secret",
    budget: "reads",
    request: listCustomerAccounts,
    fields: ListCustomerAccounts,
    summary: "Lists customer accounts, newest first.",
  }),
  get("/customer_accounts/:customer_reference", {
    name: "getCustomerAccount",
    key: "secret",
    budget: "reads",
    request: getCustomerAccount,
    summary: "Returns a customer's account.",
  }),
  post("/payments", {
    name: "openPayment",
    key: "secret",
    request: openPayment,
    fields: OpenPayment,
    created: "payment",
    repeatable: "with_reference",
    summary: "Creates a payment session, or returns the one created with the same reference.",
    problems: ["account_retired", "amount_over_limit", "amount_slots_exhausted", ...BANK_FAILS],
  }),
  get("/payments/:reference", {
    name: "getPayment",
    key: "secret",
    budget: "reads",
    request: getPayment,
    summary: "Returns a payment session and the collections that paid it.",
  }),
  post("/payments/crypto", {
    name: "openCryptoPayment",
    key: "secret",
    request: openCryptoPayment,
    fields: OpenPayment,
    unavailable: true,
    repeatable: "with_reference",
    summary: "Not available yet: USDT requires an exchange partner.",
    problems: ["crypto_unavailable"],
  }),
  get("/banks", {
    name: "listBanks",
    key: "secret",
    budget: "reads",
    request: listBanks,
    summary: "Lists the banks that transfers can be sent to.",
  }),
  post("/transfers/resolve", {
    name: "resolveAccount",
    key: "secret",
    budget: "resolves",
    request: resolveAccount,
    fields: ResolveAccount,
    repeatable: "always",
    summary: "Returns the name of a bank account's holder.",
    problems: ["account_unresolved", ...BANK_FAILS],
  }),
  post("/transfers", {
    name: "createTransfer",
    key: "secret",
    request: createTransfer,
    fields: CreateTransfer,
    created: "transfer",
    repeatable: "always",
    summary: "Sends money from Settled to a bank account, once for each reference.",
    problems: ["reference_conflict", "insufficient_balance", "account_unresolved", ...BANK_FAILS],
  }),
  get("/transfers", {
    name: "listTransfers",
    key: "secret",
    budget: "reads",
    request: listTransfers,
    fields: ListTransfers,
    summary: "Lists transfers, newest first.",
  }),
  get("/transfers/:reference", {
    name: "getTransfer",
    key: "secret",
    budget: "reads",
    request: getTransfer,
    summary: "Returns a transfer.",
  }),
  post("/customer_accounts/:customer_reference/simulate_payment", {
    name: "simulatePayment",
    key: "secret",
    testOnly: true,
    request: simulatePayment,
    fields: SimulatePayment,
    repeatable: "never",
    summary: "Simulates a transfer into a customer's account.",
    problems: ["account_retired", "rate_limited"],
  }),
  post("/sandbox/pay", {
    name: "sandboxPay",
    key: "secret",
    testOnly: true,
    request: sandboxPay,
    fields: SandboxPay,
    repeatable: "never",
    summary: "Simulates a transfer into a collection account.",
    problems: ["not_found", "account_retired", "rate_limited"],
  }),
  get("/checkout/:reference", {
    name: "getCheckout",
    key: "none",
    limit: "checkout_reads",
    request: getCheckout,
    summary: "Returns a session with the fields for the payer; intended for polling.",
  }),
  post("/checkout/:reference/details", {
    name: "giveCheckoutDetails",
    key: "none",
    limit: "checkout_details",
    request: giveCheckoutDetails,
    fields: PayerDetails,
    repeatable: "always",
    summary: "Stores the payer's name and email, after which the session shows its account.",
    problems: ["details_already_given"],
  }),
  post("/checkout/:reference/sent", {
    name: "reportCheckoutSent",
    key: "none",
    limit: "checkout_sent",
    request: reportCheckoutSent,
    repeatable: "always",
    summary: "Records that the payer says they have sent the transfer, which extends the expiry once.",
  }),
  post("/checkout", {
    name: "openCheckout",
    key: "public",
    limit: "checkout_openings",
    request: openCheckout,
    fields: OpenCheckout,
    created: "checkout",
    repeatable: "with_reference",
    summary:
      "Creates a session with a public key. Browsers call the same endpoint on the checkout host, which allows CORS.",
    problems: ["amount_over_limit", "amount_slots_exhausted", ...BANK_FAILS],
  }),
];

/** The other columns of a row; `created` is a field of the reply. */
type Row<Contract extends RequestContract> = Omit<ReadEndpoint, "method" | "path"> & {
  request: Contract;
  created?: keyof WireResult<Contract>;
};

function get<Contract extends RequestContract>(path: Endpoint["path"], row: Row<Contract>): Endpoint {
  return { method: "GET", path, ...row };
}

function post<Contract extends RequestContract>(
  path: Endpoint["path"],
  row: Row<Contract> & Pick<WriteEndpoint, "repeatable">,
): Endpoint {
  return { method: "POST", path, ...row };
}
