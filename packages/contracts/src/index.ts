export { Actor, type RequestContext } from "./actor.ts";
export {
  AmountRange,
  Browse,
  browseOf,
  decodeCursor,
  encodeCursor,
  foreignCursor,
  keyWith,
  SEARCHED_MAX,
  Search,
  SearchText,
  Selected,
  Span,
  toPage,
} from "./browse.ts";
export { dayReportCsv, itemsIn, leftOutOf, type ReadGroup } from "./day-report.ts";
export * from "./events.ts";
export * from "./fields.ts";
export { checkFields, parseFields } from "./fields-check.ts";
export * from "./merchant-api/balance.ts";
export * from "./merchant-api/checkout.ts";
export * from "./merchant-api/collection-events.ts";
export * from "./merchant-api/collections.ts";
export * from "./merchant-api/customer-accounts.ts";
export * from "./merchant-api/events.ts";
export { assertOneStart, cursorPageOf, Timestamp } from "./merchant-api/lists.ts";
export * from "./merchant-api/payments.ts";
export * from "./merchant-api/scenarios.ts";
export * from "./merchant-api/session.ts";
export * from "./merchant-api/settlements.ts";
export * from "./merchant-api/simulation.ts";
export * from "./merchant-api/test-clock.ts";
export * from "./merchant-api/transfers.ts";
export * from "./merchant-api/webhook-events.ts";
export type {
  Caller,
  Fact,
  FactEvent,
  Input,
  OperatorAct,
  OperatorUse,
  RequestContract,
  Result,
  SealName,
  ServiceName,
  WireInput,
  WireResult,
} from "./message.ts";
export { REQUESTS, SERVICES } from "./message.ts";
export {
  conflictIn,
  type FieldError,
  invalidFields,
  isRefusal,
  notFound,
  PROBLEMS,
  Problem,
  type ProblemCode,
  type ProblemDocument,
  type ProofChallenge,
  problemDocument,
  toNotFound,
} from "./problem.ts";
export { isMerchantCode, MERCHANT_CODES, type MerchantCode, problemPage, problemType } from "./problem-pages.ts";
export { bytesOfReference, isReferenceOf, referenceOf } from "./reference.ts";
export * from "./requests/account-limits.ts";
export * from "./requests/accounts.ts";
export * from "./requests/announcements.ts";
export * from "./requests/api-calls.ts";
export * from "./requests/audit.ts";
export * from "./requests/audit-log.ts";
export * from "./requests/audit-reversals.ts";
export * from "./requests/bank-movements.ts";
export * from "./requests/beneficiaries.ts";
export * from "./requests/books.ts";
export * from "./requests/business-profile.ts";
export * from "./requests/checkout.ts";
export * from "./requests/checkout-settings.ts";
export * from "./requests/collections.ts";
export * from "./requests/customers.ts";
export * from "./requests/dashboard.ts";
export * from "./requests/day-details.ts";
export * from "./requests/day-totals.ts";
export * from "./requests/days.ts";
export * from "./requests/decisions.ts";
export * from "./requests/deliveries.ts";
export * from "./requests/erasures.ts";
export * from "./requests/events.ts";
export * from "./requests/every-service.ts";
export * from "./requests/gateway.ts";
export * from "./requests/keys.ts";
export * from "./requests/ledger.ts";
export { Merchant } from "./requests/merchant.ts";
export * from "./requests/merchants.ts";
export * from "./requests/missing-credits.ts";
export * from "./requests/operator-sign-ins.ts";
export * from "./requests/operators.ts";
export * from "./requests/outbound-transfers.ts";
export * from "./requests/partners.ts";
export * from "./requests/payment-links.ts";
export * from "./requests/payment-sessions.ts";
export * from "./requests/payments.ts";
export * from "./requests/payout-limits.ts";
export * from "./requests/payouts.ts";
export * from "./requests/recovery.ts";
export * from "./requests/recovery-lists.ts";
export * from "./requests/recovery-of-offers.ts";
export * from "./requests/recovery-of-reversals.ts";
export * from "./requests/refused-reversals.ts";
export * from "./requests/search.ts";
export * from "./requests/secrets.ts";
export * from "./requests/settlements.ts";
export * from "./requests/standing.ts";
export * from "./requests/statement-lines.ts";
export * from "./requests/statements.ts";
export * from "./requests/test-clock.ts";
export * from "./requests/transfer-batches.ts";
export * from "./requests/verification.ts";
export * from "./requests/webhook-holds.ts";
export * from "./requests/webhooks.ts";
export * from "./reversal-events.ts";
export * from "./session-snapshot.ts";
export { harmless } from "./spreadsheet.ts";
