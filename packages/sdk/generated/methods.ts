// Written by `npm run document`.

import type { Body, CallOptions, Calls, Query } from "../src/operations.ts";

export const methodsOf = ({ call, list }: Calls) => ({
  /** Returns the Collected and Settled balances in the mode of the key. A restricted key needs the scope `balance`. Counts against the merchant's 600 reads in any 60 minutes. */
  getBalance: (options?: CallOptions) => call("getBalance", { options }),
  /** Issues a customer's permanent account number, or returns the existing one. 201 when it is created, 200 with its current state when it already exists. The reference of a repeat is looked up first: the rest of its body may be missing or invalid. A restricted key needs the scope `accounts`. 300 calls in any 60 minutes, successful or not. */
  issueCustomerAccount: (body: Body<"issueCustomerAccount">, options?: CallOptions) => call("issueCustomerAccount", { body, options }),
  /** Lists customer accounts, newest first. A restricted key needs the scope `accounts`. Counts against the merchant's 600 reads in any 60 minutes. */
  listCustomerAccounts: (query?: Query<"listCustomerAccounts">, options?: CallOptions) => list("listCustomerAccounts", { query, options }),
  /** Returns a customer's account. A restricted key needs the scope `accounts`. Counts against the merchant's 600 reads in any 60 minutes. */
  getCustomerAccount: (customer_reference: string, options?: CallOptions) => call("getCustomerAccount", { path: { customer_reference }, options }),
  /** Creates a payment session, or returns the one created with the same reference. A new `customer_reference` gets its account at once, for which a restricted key needs no other scope. 201 when it is created, 200 with its current state when it already exists. The reference of a repeat is looked up first: the rest of its body may be missing or invalid. A restricted key needs the scope `payments`. Send your own `reference`: only then is the call idempotent, and retried automatically. */
  openPayment: (body: Body<"openPayment">, options?: CallOptions) => call("openPayment", { body, options }),
  /** Lists payment sessions, newest first. A restricted key needs the scope `payments`. Counts against the merchant's 600 reads in any 60 minutes. */
  listPayments: (query?: Query<"listPayments">, options?: CallOptions) => list("listPayments", { query, options }),
  /** Returns a payment session and the collections that paid it. A restricted key needs the scope `payments`. Counts against the merchant's 600 reads in any 60 minutes. */
  getPayment: (reference: string, options?: CallOptions) => call("getPayment", { path: { reference }, options }),
  /** Not available yet: USDT requires an exchange partner. A restricted key needs the scope `payments`. Send your own `reference`: only then is the call idempotent, and retried automatically. */
  openCryptoPayment: (body: Body<"openCryptoPayment">, options?: CallOptions) => call("openCryptoPayment", { body, options }),
  /** Lists the banks that transfers can be sent to. A restricted key needs the scope `transfers:read`. Counts against the merchant's 600 reads in any 60 minutes. */
  listBanks: (options?: CallOptions) => call("listBanks", { options }),
  /** Returns the name of a bank account's holder, at most 60 times in any 60 minutes. In live mode up to 30 first orders to an account count, too. A restricted key needs the scope `transfers:write`. */
  resolveAccount: (body: Body<"resolveAccount">, options?: CallOptions) => call("resolveAccount", { body, options }),
  /** Sends money from Settled to a bank account, once for each reference. `account_name` is reduced to initials while you order to many accounts for the first time: such orders are accepted all the same. 201 when it is created, 200 with its current state when it already exists. A restricted key needs the scope `transfers:write`. */
  createTransfer: (body: Body<"createTransfer">, options?: CallOptions) => call("createTransfer", { body, options }),
  /** Lists transfers, newest first. A restricted key needs the scope `transfers:read`. Counts against the merchant's 600 reads in any 60 minutes. */
  listTransfers: (query?: Query<"listTransfers">, options?: CallOptions) => list("listTransfers", { query, options }),
  /** Returns a transfer. A restricted key needs the scope `transfers:read`. Counts against the merchant's 600 reads in any 60 minutes. */
  getTransfer: (reference: string, options?: CallOptions) => call("getTransfer", { path: { reference }, options }),
  /** Ends a pending session now. Its status becomes `expired`; a transfer on its way still pays it late. A restricted key needs the scope `payments`. */
  cancelPayment: (reference: string, body?: Body<"cancelPayment">, options?: CallOptions) => call("cancelPayment", { path: { reference }, body, options }),
  /** Lists the money received, what was paid last first, with its payers, settlements and events. A restricted key needs the scope `collections`. Counts against the merchant's 600 reads in any 60 minutes. */
  listCollections: (query?: Query<"listCollections">, options?: CallOptions) => list("listCollections", { query, options }),
  /** Returns a collection by the `data.reference` of its event. A restricted key needs the scope `collections`. Counts against the merchant's 600 reads in any 60 minutes. */
  getCollection: (reference: string, options?: CallOptions) => call("getCollection", { path: { reference }, options }),
  /** Lists settlements, the latest first. A restricted key needs the scope `balance`. Counts against the merchant's 600 reads in any 60 minutes. */
  listSettlements: (query?: Query<"listSettlements">, options?: CallOptions) => list("listSettlements", { query, options }),
  /** Returns a settlement and what it settled. A restricted key needs the scope `collections`. Counts against the merchant's 600 reads in any 60 minutes. */
  getSettlement: (id: string, query?: Query<"getSettlement">, options?: CallOptions) => call("getSettlement", { path: { id }, query, options }),
  /** Lists the events of the numbered log, oldest first, as they are sent to your server. A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes. */
  listEvents: (query?: Query<"listEvents">, options?: CallOptions) => list("listEvents", { query, options }),
  /** Returns an event and the state of its delivery. A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes. */
  getEvent: (id: string, options?: CallOptions) => call("getEvent", { path: { id }, options }),
  /** Sends an event to your webhook URL again, with the same bytes and numbers. A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes. */
  replayEvent: (id: string, body?: Body<"replayEvent">, options?: CallOptions) => call("replayEvent", { path: { id }, body, options }),
  /** Sends a part of the log to your webhook URL again, in the background, with the same bytes and numbers. One part at a time: a repeat while it is being sent starts no second replay, and another part is refused with `replay_running`. `GET /events` shows the state of each delivery. A restricted key needs the scope `events`. Counts against the merchant's 600 reads in any 60 minutes. */
  replayEvents: (body: Body<"replayEvents">, options?: CallOptions) => call("replayEvents", { body, options }),
  /** Simulates a transfer into a customer's account. Test keys only. A restricted key needs the scope `accounts`. Never retried automatically. */
  simulatePayment: (customer_reference: string, body: Body<"simulatePayment">, options?: CallOptions) => call("simulatePayment", { path: { customer_reference }, body, options }),
  /** Simulates a transfer into a collection account. Test keys only. A restricted key needs the scope `payments`. Never retried automatically. */
  sandboxPay: (body: Body<"sandboxPay">, options?: CallOptions) => call("sandboxPay", { body, options }),
  /** Plays a fault: what the bank may do with a transfer, or your server with its event. Transfers take the path of real money, with events and balances. The faults of payouts (a timeout before a success or a failure, a reversal) depend on the account number that you pay out to: see the guide about payouts. Test keys only. A restricted key needs the scope `payments`. */
  sandboxPlayScenario: (body: Body<"sandboxPlayScenario">, options?: CallOptions) => call("sandboxPlayScenario", { body, options }),
  /** Settles what is Collected now, so that it can be paid out. Live money is settled by its schedule. Test keys only. A restricted key needs the scope `balance`. */
  sandboxSettle: (body?: Body<"sandboxSettle">, options?: CallOptions) => call("sandboxSettle", { body, options }),
  /** Returns the time in your test mode. Test keys only. A restricted key needs the scope `payments`. Counts against the merchant's 600 reads in any 60 minutes. */
  getTestClock: (options?: CallOptions) => call("getTestClock", { options }),
  /** Advances the test clock: everything in your test mode that waits for a time happens, in order, before the call returns. The clock goes forward only, at most 400 days ahead of real time. From then on it stands still until you advance it again, or until real time has caught up with it. It is the time of everything that is made in your test mode: sessions, collections, settlements, transfers, and the `created_at` of their events.

What it moves: the end of payment sessions and of their watch windows, of payment links and of approvals, settlements, the retries of webhooks, and the enquiries after payouts, so that a payout of which the test bank says so is reversed.

What stays in real time: the log of attempts and the `webhook-timestamp` of deliveries, which receivers compare with their own clock, `webhook.test` events, the activation of a staged signing secret, rate limits, limits a day, and whatever happens while the clock stands: a transfer is still credited at once. Live mode has no such clock, and there is no way back: to begin anew, use another business. Test keys only. A restricted key needs the scope `payments`. Never retried automatically. */
  advanceTestClock: (body?: Body<"advanceTestClock">, options?: CallOptions) => call("advanceTestClock", { body, options }),
  /** Creates a session with a public key. Browsers call the same endpoint on the checkout host, which allows CORS. A public key and an order's id can be sent by anyone, so `reference` finds no session again: only the caller's own `client_nonce` does, and without one every call, also a repeat after a lost response, creates another session. A session has no account, and its `amount` is `amount_requested`, until the payer's details are given; until then it costs nothing and holds no amount. Beyond 30 calls a minute from one network, or 600 of a merchant, the response is 429 `proof_required`: repeat the call with the solved challenge as `proof`. Fields that the merchant does not allow under its public key are left out and named in `warnings`. 201 when it is created, 200 with its current state when it already exists. */
  openCheckout: (body: Body<"openCheckout">, options?: CallOptions) => call("openCheckout", { body, options }),
});
