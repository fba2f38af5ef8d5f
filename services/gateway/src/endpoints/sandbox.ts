import {
  PlayScenario,
  playScenario,
  SandboxPay,
  SimulatePayment,
  sandboxPay,
  settleTestMoney,
  simulatePayment,
} from "@collect/contracts";
import { type Endpoint, post } from "../domain/endpoint.ts";

/** What only test keys can do. */
export const SANDBOX: readonly Endpoint[] = [
  post("/customer_accounts/:customer_reference/simulate_payment", {
    name: "simulatePayment",
    key: "secret",
    scope: "accounts",
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
    scope: "payments",
    testOnly: true,
    request: sandboxPay,
    fields: SandboxPay,
    repeatable: "never",
    summary: "Simulates a transfer into a collection account.",
    problems: ["not_found", "account_retired", "rate_limited"],
  }),
  post("/sandbox/scenarios", {
    name: "sandboxPlayScenario",
    key: "secret",
    scope: "payments",
    testOnly: true,
    request: playScenario,
    fields: PlayScenario,
    repeatable: "always",
    summary: "Plays a fault: what the bank may do with a transfer, or your server with its event.",
    details:
      "Transfers take the path of real money, with events and balances. The faults of payouts (a timeout before a success or a failure, a reversal) depend on the account number that you pay out to: see the integration guide.",
    problems: ["not_found", "account_retired", "no_webhook_url", "rate_limited"],
  }),
  post("/sandbox/settle", {
    name: "sandboxSettle",
    key: "secret",
    scope: "balance",
    testOnly: true,
    request: settleTestMoney,
    repeatable: "always",
    summary: "Settles what is Collected now, so that it can be paid out. Live money is settled by its schedule.",
  }),
];
