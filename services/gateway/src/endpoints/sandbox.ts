import {
  AdvanceTestClock,
  advanceTestClock,
  PlayScenario,
  playScenario,
  readTestClock,
  SandboxPay,
  SimulatePayment,
  sandboxPay,
  settleTestMoney,
  simulatePayment,
} from "@collect/contracts";
import { type Endpoint, get, post } from "../domain/endpoint.ts";

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
    names: "payment_reference",
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
    names: "account_number",
    repeatable: "always",
    summary: "Plays a fault: what the bank may do with a transfer, or your server with its event.",
    details:
      "Transfers take the path of real money, with events and balances. The faults of payouts (a timeout before a success or a failure, a reversal) depend on the account number that you pay out to: see the guide about payouts.",
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
  get("/sandbox/clock", {
    name: "getTestClock",
    key: "secret",
    scope: "payments",
    testOnly: true,
    request: readTestClock,
    budget: "reads",
    summary: "Returns the time in your test mode.",
  }),
  post("/sandbox/clock", {
    name: "advanceTestClock",
    key: "secret",
    scope: "payments",
    testOnly: true,
    request: advanceTestClock,
    fields: AdvanceTestClock,
    repeatable: "never",
    summary:
      "Advances the test clock: everything in your test mode that waits for a time happens, in order, before the call returns.",
    details: `The clock goes forward only, at most 400 days ahead of real time. From then on it stands still until you advance it again, or until real time has caught up with it. It is the time of everything that is made in your test mode: sessions, collections, settlements, transfers, and the \`created_at\` of their events.

What it moves: the end of payment sessions and of their watch windows, of payment links and of approvals, settlements, the retries of webhooks, and the enquiries after payouts, so that a payout of which the test bank says so is reversed.

What stays in real time: the log of attempts and the \`webhook-timestamp\` of deliveries, which receivers compare with their own clock, \`webhook.test\` events, the activation of a staged signing secret, rate limits, limits a day, and whatever happens while the clock stands: a transfer is still credited at once. Live mode has no such clock, and there is no way back: to begin anew, use another business.`,
    problems: ["test_clock_advancing"],
  }),
];
