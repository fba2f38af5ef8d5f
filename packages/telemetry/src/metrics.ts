import { counter, gauge, histogram } from "./registry.ts";

/**
 * Every metric of every process. A label is a name from the code (a route's pattern, a subject, a durable, a pool), a mode or an
 * outcome: never a merchant, an id or a URL, so the number of series is bounded. docs/metrics.md is generated from here.
 */

export const httpRequestDuration = histogram({
  name: "http_request_duration_seconds",
  help: "HTTP requests, by the route's pattern (none: no route), until the end of the response. Status: 2xx, 4xx and so on, or aborted.",
  labels: ["method", "route", "status"],
});

/** How a request on the bus ended; `refused` is the caller's fault, `unavailable` a 503, `failed` our fault. */
export type RequestOutcome = "ok" | "refused" | "unavailable" | "failed";

export const servedRequestDuration = histogram({
  name: "bus_served_request_duration_seconds",
  help: "Requests that the process answered over the bus. Outcome: ok, refused, unavailable or failed.",
  labels: ["subject", "outcome"],
});

export const sentRequestDuration = histogram({
  name: "bus_sent_request_duration_seconds",
  help: "Requests that the process sent over the bus, until the response or the deadline. Outcome: ok, refused, unavailable or failed.",
  labels: ["subject", "outcome"],
});

export const batchDuration = histogram({
  name: "consumer_batch_duration_seconds",
  help: "Batches of a consumer, with their retries, until their facts are handled and published. Outcome: ok, or stopped before the end.",
  labels: ["durable", "outcome"],
});

export const batchFacts = histogram(
  {
    name: "consumer_batch_facts",
    help: "Facts in a batch. Batches near the maximum all the time: the consumer is behind.",
    labels: ["durable"],
  },
  [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
);

export const batchRetries = counter({
  name: "consumer_batch_retries_total",
  help: "Attempts to handle a batch that failed for a reason that passes: no database, no broker, a lock.",
  labels: ["durable"],
});

export const pendingMessages = gauge({
  name: "consumer_pending_messages",
  help: "Messages of a durable that no replica has taken yet. The same from every replica: take the maximum.",
  labels: ["durable"],
});

export const unacknowledgedMessages = gauge({
  name: "consumer_unacknowledged_messages",
  help: "Messages of a durable that replicas have taken and not finished. The same from every replica: take the maximum.",
  labels: ["durable"],
});

export const deadLetters = gauge({
  name: "dead_letters",
  help: "Facts that failed on their data and wait for an operator, at most 1,000 counted in all. The same from every replica.",
  labels: ["durable"],
});

export const webhookAttemptDuration = histogram(
  {
    name: "webhook_attempt_duration_seconds",
    help: "Attempts to deliver a webhook, until the merchant's response. Outcome: delivered, pending (to be retried) or exhausted.",
    labels: ["mode", "outcome"],
  },
  [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
);

export const deliveriesWaiting = gauge({
  name: "deliveries_waiting",
  help: "Webhooks that are not acknowledged yet and have a time, among the first 20,000 of both modes. The same from every replica.",
  labels: ["mode"],
});

export const deliveriesHeld = gauge({
  name: "deliveries_held",
  help: "Webhooks that wait behind a held or paused endpoint, among the first 20,000 of both modes. The same from every replica.",
  labels: ["mode"],
});

export const intakeUnfinished = gauge({
  name: "intake_unfinished_transfers",
  help: "Incoming transfers, and reversals of them, whose event is not recorded yet, at most 10,000 of each counted. The same from every replica.",
  labels: ["mode"],
});

export const intakeOldestAge = gauge({
  name: "intake_oldest_unfinished_seconds",
  help: "How long ago the oldest of these was received; 0 without one. The same from every replica.",
  labels: ["mode"],
});

export const bankReports = counter({
  name: "bank_reports_total",
  help: "Reports that a partner posted to its bank door. Outcome: accepted, duplicate, quarantined, unallocated, rejected (it does not prove who sent it, or is too large), unreadable (signed, and refused by us) or failed (not confirmed or not committed; the partner repeats it).",
  labels: ["partner", "outcome"],
});

export const pooledAccounts = gauge({
  name: "pooled_accounts",
  help: "Accounts opened ahead at a partner, at most 10,000 counted. State: free, unanswered (the bank may have opened one that is not known; more than 0 is for an operator) or set_aside. Free is absent where no merchant's accounts come from the partner. The same from every replica.",
  labels: ["partner", "state"],
});

export const settledUnknown = gauge({
  name: "settled_unknown_transfers",
  help: "Transfers that a partner settled more than an hour before the last time at which it may report them, and of which it has neither reported nor answered anything, at most 10,000 counted; more than 0 is for an operator. The same from every replica.",
  labels: ["partner"],
});

export const ledgerAuditAge = gauge({
  name: "ledger_audit_age_seconds",
  help: "How old the ledger's proof is. Part: sums (of all balances), recent (postings since the last check) or history (the last complete round).",
  labels: ["part"],
});

export const ledgerAuditDifferences = gauge({
  name: "ledger_audit_differences",
  help: "Differences that the ledger's self-audit holds; more than 0 is an alarm. Part: sums, recent or history.",
  labels: ["part"],
});

export const movementsMissingAtBank = gauge({
  name: "movements_missing_at_bank",
  help: "Movements of open days that our books have and the bank's statements have not, after a day, or after the days within which the partner settles; more than 0 is an alarm.",
  labels: [],
});

export const statementDaysOpen = gauge({
  name: "statement_days_open",
  help: "Days that are over and not closed, since the first statement. Days are closed in order, so the oldest ended so many days ago, less one. The same from every replica.",
  labels: [],
});

export const statementAge = gauge({
  name: "statement_age_seconds",
  help: "How long ago the last day ended that the statements of our account at a bank prove; without a statement, how long ago the account was named or changed. Not of accounts that have ended. The same from every replica.",
  labels: ["bank"],
});

export const settlementsDue = gauge({
  name: "settlements_due",
  help: "Merchants whose settlement was due in this process's last complete pass and failed; more than 0 is an alarm.",
  labels: ["mode"],
});

export const settlementsComplete = gauge({
  name: "settlements_complete_timestamp_seconds",
  help: "When this process last knew that everything due was settled. Take the maximum over replicas.",
  labels: ["mode"],
});

export const payoutsUnanswered = gauge({
  name: "payouts_unanswered",
  help: "Payouts that were sent to the bank and have no answer yet, at most 5,000 counted; live ones only. The same from every replica.",
  labels: ["mode"],
});

export const payoutsOldestUnansweredAge = gauge({
  name: "payouts_oldest_unanswered_seconds",
  help: "How long ago the oldest of these payouts was sent; 0 without one. The same from every replica.",
  labels: ["mode"],
});

export const recoveryAge = gauge({
  name: "recovery_seconds",
  help: "How long ago the restore of its database was noticed that the service is catching up from, and at which step it is; absent without one. The same from every replica.",
  labels: ["step"],
});

export const payoutsWithoutPartner = gauge({
  name: "payouts_merchants_without_partner",
  help: "Merchants whose chosen payout partner is not configured, so that their live payouts are held; more than 0 is an alarm. The same from every replica with the same settings.",
  labels: ["mode"],
});

export const checkOk = gauge({
  name: "check_ok",
  help: "1 while a check of /readyz holds, otherwise 0.",
  labels: ["check"],
});

export const measurementOk = gauge({
  name: "measurement_ok",
  help: "1 if a measurement that asks the database or the broker succeeded, otherwise 0: then its gauges are absent, not old.",
  labels: ["measurement"],
});
