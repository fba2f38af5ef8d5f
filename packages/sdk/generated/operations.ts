// Written by `npm run document` from openapi.json.

/** Every operation that takes a key. */
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
  simulatePayment: { method: "POST", path: "/customer_accounts/{customer_reference}/simulate_payment", repeatable: "never" },
  sandboxPay: { method: "POST", path: "/sandbox/pay", repeatable: "never" },
  openCheckout: { method: "POST", path: "/checkout", repeatable: "with_reference" },
} as const;
