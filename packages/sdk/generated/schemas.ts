// Written by `npm run document`.

import type { components } from "./openapi.ts";

type Schemas = components["schemas"];

/** Your two balances in one mode. */
export type Balance = Schemas["Balance"];
/** The one permanent account number of a customer, in one mode. */
export type CustomerAccount = Schemas["CustomerAccount"];
/** A page of customer accounts. */
export type CustomerAccountList = Schemas["CustomerAccountList"];
/** A payment session that a secret key created, which has its account from the beginning. */
export type CreatedPayment = Schemas["CreatedPayment"];
/** A payment session: an exact amount that a payer is asked to transfer to an account. */
export type Payment = Schemas["Payment"];
/** The banks that transfers can be sent to. */
export type BankList = Schemas["BankList"];
/** A bank that transfers can be sent to. */
export type Bank = Schemas["Bank"];
/** A bank account and the name of its holder. */
export type ResolvedAccount = Schemas["ResolvedAccount"];
/** Money that you send from Settled to a bank account. */
export type Transfer = Schemas["Transfer"];
/** A page of transfers. */
export type TransferList = Schemas["TransferList"];
/** A page of payment sessions. */
export type PaymentList = Schemas["PaymentList"];
/** A page of collections. */
export type CollectionList = Schemas["CollectionList"];
/** Money that was received: the data of its `collection.success`, and what is known of it by now. */
export type Collection = Schemas["Collection"];
/** A page of settlements. */
export type SettlementList = Schemas["SettlementList"];
/** Money that moved from Collected to Settled. */
export type Settlement = Schemas["Settlement"];
/** A settlement, and a page of what it settled. */
export type SettlementWithLines = Schemas["SettlementWithLines"];
/** A page of the event log. */
export type EventList = Schemas["EventList"];
/** An event of the log, as it is sent to your server. */
export type Event = Schemas["Event"];
/** A part of the event log that is being sent again. */
export type EventReplay = Schemas["EventReplay"];
/** What was simulated. It is in the ledger by then, and its event is recorded. */
export type SimulationResult = Schemas["SimulationResult"];
/** What came of a scenario, the same for every repeat of the call. */
export type ScenarioResult = Schemas["ScenarioResult"];
/** What a call settled. */
export type SandboxSettlement = Schemas["SandboxSettlement"];
/** The time in your test mode. */
export type TestClock = Schemas["TestClock"];
/** The time in your test mode. Everything that was due by then is done, unless `has_more` is true. */
export type AdvancedTestClock = Schemas["AdvancedTestClock"];
/** What anyone who knows the reference of a session sees of it. Of the customer that is only `account_name`, which a payer sees at the bank, too: in a customer's own account it has the name. */
export type CheckoutSession = Schemas["CheckoutSession"];
/** A session that a public key created; the same as payers see, and what its page needs. */
export type OpenedCheckout = Schemas["OpenedCheckout"];
/** What this API is, and what it can do. */
export type ServiceIndex = Schemas["ServiceIndex"];
/** An error, as in RFC 9457. */
export type Problem = Schemas["Problem"];
/** Money was received in a customer's account or in a collection account. */
export type CollectionSuccessEvent = Schemas["CollectionSuccessEvent"];
/** Your team attached money that had matched nothing to a payment session or a customer. No further money was received: its `collection.success` had the same `data.reference`. */
export type CollectionAttachedEvent = Schemas["CollectionAttachedEvent"];
/** The bank took back a collection, or a part of it. Our fee on it is given back; the rest is taken from Collected, then from Settled, and what both lack is owed and taken from what is received next. */
export type CollectionReversedEvent = Schemas["CollectionReversedEvent"];
/** The beneficiary's bank accepted a transfer. */
export type TransferSuccessEvent = Schemas["TransferSuccessEvent"];
/** The transfer, at that time. */
export type TransferEventData = Schemas["TransferEventData"];
/** A transfer failed, and its money is back in Settled. */
export type TransferFailedEvent = Schemas["TransferFailedEvent"];
/** The bank reversed a successful transfer, and its money is back in Settled. */
export type TransferReversedEvent = Schemas["TransferReversedEvent"];
/** A member of your team sent it from the dashboard to test your endpoint. No money is involved. */
export type WebhookTestEvent = Schemas["WebhookTestEvent"];
/** Sent to a new webhook URL. Respond with `data.challenge`, as the body or in a JSON field `challenge`, to receive events there. */
export type EndpointChallengeEvent = Schemas["EndpointChallengeEvent"];
/** The customer who gets an account. */
export type IssueCustomerAccountBody = Schemas["IssueCustomerAccountBody"];
/** The payment that you request. */
export type OpenPaymentBody = Schemas["OpenPaymentBody"];
/** The payment that you request. */
export type OpenCryptoPaymentBody = Schemas["OpenCryptoPaymentBody"];
/** The account whose holder you look up. */
export type ResolveAccountBody = Schemas["ResolveAccountBody"];
/** The transfer that you order. */
export type CreateTransferBody = Schemas["CreateTransferBody"];
/** No fields. */
export type CancelPaymentBody = Schemas["CancelPaymentBody"];
/** No fields. */
export type ReplayEventBody = Schemas["ReplayEventBody"];
/** The events that you missed. */
export type ReplayEventsBody = Schemas["ReplayEventsBody"];
/** A transfer into a customer's account. */
export type SimulatePaymentBody = Schemas["SimulatePaymentBody"];
/** A transfer into a collection account. */
export type SandboxPayBody = Schemas["SandboxPayBody"];
/** What goes wrong, and with which transfer. */
export type SandboxPlayScenarioBody = Schemas["SandboxPlayScenarioBody"];
/** No fields. */
export type SandboxSettleBody = Schemas["SandboxSettleBody"];
/** How far to advance the test clock. */
export type AdvanceTestClockBody = Schemas["AdvanceTestClockBody"];
/** The payer of a session without a customer. */
export type GiveCheckoutDetailsBody = Schemas["GiveCheckoutDetailsBody"];
/** No fields. */
export type ReportCheckoutSentBody = Schemas["ReportCheckoutSentBody"];
/** The payment that a web page requests. */
export type OpenCheckoutBody = Schemas["OpenCheckoutBody"];
