import type { paths } from "../generated/openapi.ts";

/**
 * When a call that got no proper answer may be made again. `always`: it reads, or repeating it is the same call. `with_reference`:
 * only when it carries the reference that makes it so. `never`: each call moves (test) money.
 */
export type Repeatable = "always" | "with_reference" | "never";

type Operation = { method: "GET" | "POST"; path: keyof paths; repeatable: Repeatable };

/** Every operation that a key can reach; a test holds this against the document. */
export const OPERATIONS = {
  getBalance: { method: "GET", path: "/balance", repeatable: "always" },
  issueCustomerAccount: { method: "POST", path: "/customer_accounts", repeatable: "always" },
  listCustomerAccounts: { method: "GET", path: "/customer_accounts", repeatable: "always" },
  getCustomerAccount: { method: "GET", path: "/customer_accounts/{customer_reference}", repeatable: "always" },
  openPayment: { method: "POST", path: "/payments", repeatable: "with_reference" },
  getPayment: { method: "GET", path: "/payments/{reference}", repeatable: "always" },
  openCryptoPayment: { method: "POST", path: "/payments/crypto", repeatable: "with_reference" },
  listBanks: { method: "GET", path: "/banks", repeatable: "always" },
  resolveAccount: { method: "POST", path: "/transfers/resolve", repeatable: "always" },
  createTransfer: { method: "POST", path: "/transfers", repeatable: "always" },
  listTransfers: { method: "GET", path: "/transfers", repeatable: "always" },
  getTransfer: { method: "GET", path: "/transfers/{reference}", repeatable: "always" },
  simulatePayment: {
    method: "POST",
    path: "/customer_accounts/{customer_reference}/simulate_payment",
    repeatable: "never",
  },
  sandboxPay: { method: "POST", path: "/sandbox/pay", repeatable: "never" },
  openCheckout: { method: "POST", path: "/checkout", repeatable: "with_reference" },
} as const satisfies Record<string, Operation>;

type Operations = typeof OPERATIONS;
type Name = keyof Operations;
type Documented<Of extends Name> = paths[Operations[Of]["path"]][Lowercase<Operations[Of]["method"]>];

/** What an operation takes as its body. */
export type Body<Of extends Name> =
  Documented<Of> extends { requestBody?: { content: { "application/json": infer Json } } } ? Json : never;

/** What an operation takes in its query string. */
export type Query<Of extends Name> = Documented<Of> extends { parameters: { query?: infer Fields } } ? Fields : never;

/** What an operation answers with when it succeeds. */
export type Result<Of extends Name> =
  Documented<Of> extends { responses: infer Responses }
    ? JsonOf<Responses[Extract<keyof Responses, 200 | 201>]>
    : never;
type JsonOf<Response> = Response extends { content: { "application/json": infer Json } } ? Json : never;
