import {
  addOperator,
  allocateTransfer,
  browseAuditLogs,
  browseMerchants,
  cancelProposal,
  closeDay,
  continueBankAccount,
  deadLetterRequests,
  decideVerification,
  endBankAccount,
  endPayout,
  explainDifference,
  findImitations,
  findPartnerTransfer,
  findPayout,
  findPayoutOfLine,
  findReceivedTransfers,
  getAccountOwner,
  getIncomingHealth,
  getOperatorKey,
  getPayoutHealth,
  getStatementLine,
  getVerification,
  Instant,
  importStatements,
  listBankAccounts,
  listCharges,
  listDayGroup,
  listDays,
  listExceptions,
  listOffers,
  listOperators,
  listProposals,
  listStatements,
  listUnansweredPayouts,
  listUnfinished,
  listVerifications,
  matchByHand,
  putStatementPart,
  type RequestContract,
  removeBankAccount,
  removeOperator,
  reopenDay,
  repeatPayout,
  reportMissedReversal,
  reportMissedTransfer,
  resetOperatorSignIn,
  resumeMerchant,
  returnPayout,
  setBankAccount,
  setUpOperatorSignIn,
  showDay,
  showMerchant,
  showPayouts,
  signInOperator,
  startPayouts,
  stopPayouts,
  suspendMerchant,
  takeBackReturn,
  undoMatch,
  withdrawMissedTransfer,
  withdrawStatement,
} from "@collect/contracts";
import { z } from "zod";

/**
 * The operators' pages, at an address of their own: requests that operators may send, as from the command line. What is not
 * listed here is done there. Schemas alone, as for the merchants' dashboard.
 */

/** Below `/api`, for an operator who is signed in. */
export const OPERATOR_READS = {
  merchants: browseMerchants,
  "merchants/:merchant_id": showMerchant,
  verifications: listVerifications,
  "verifications/:merchant_id": getVerification,
  imitations: findImitations,
  exceptions: listExceptions,
  payouts: showPayouts,
  "payouts/unfinished": listUnfinished,
  "payouts/unanswered": listUnansweredPayouts,
  "payouts/find": findPayout,
  "partner/incoming": getIncomingHealth,
  "partner/payouts": getPayoutHealth,
  days: listDays,
  "days/:day": showDay,
  "days/:day/charges": listCharges,
  "days/:day/group": listDayGroup,
  "days/:day/offers": listOffers,
  statements: listStatements,
  "bank-accounts": listBankAccounts,
  "lines/:line": getStatementLine,
  "lines/:line/payout": findPayoutOfLine,
  "account-owner": getAccountOwner,
  "partner-transfer": findPartnerTransfer,
  audit: browseAuditLogs,
  operators: listOperators,
  proposals: listProposals,
};

/** Reads by one of several ids: the query is `by`. */
export const OPERATOR_FINDS = { "received-transfers": findReceivedTransfers };

/** What several services know: `silent` are those that did not answer. */
const Silent = z.array(z.string());
export const DeadLetters = z.object({
  dead_letters: z.array(
    z.object({
      service: z.string(),
      consumer: z.string(),
      natural_key: z.string(),
      error: z.string(),
      times: z.int(),
      last_at: Instant,
    }),
  ),
  silent: Silent,
});
export const SelfAudit = z.object({
  parts: z.array(
    z.object({
      service: z.string(),
      name: z.string(),
      compares: z.string(),
      proven_at: Instant.nullable(),
      /** Null while it holds. */
      fault: z.string().nullable(),
      differences: z.array(z.object({ what: z.string(), where: z.string() })),
    }),
  ),
  silent: Silent,
});

/** The acts by their subjects, which the operator's browser signs: the server cannot make another act of one. */
export const OPERATOR_ACTS = {
  "gateway.merchant.suspend": suspendMerchant,
  "gateway.merchant.resume": resumeMerchant,
  "gateway.verification.decide": decideVerification,
  "payments.payouts.stop": stopPayouts,
  "payments.payouts.start": startPayouts,
  "payments.payouts.end": endPayout,
  "payments.payouts.repeat": repeatPayout,
  "payments.payouts.return": returnPayout,
  "payments.payouts.take_back_return": takeBackReturn,
  "accounts.transfer.allocate": allocateTransfer,
  "accounts.missed_transfer.report": reportMissedTransfer,
  "accounts.missed_transfer.withdraw": withdrawMissedTransfer,
  "accounts.missed_reversal.report": reportMissedReversal,
  "statements.account.set": setBankAccount,
  "statements.account.end": endBankAccount,
  "statements.account.continue": continueBankAccount,
  "statements.account.remove": removeBankAccount,
  "statements.file.import": importStatements,
  "statements.statement.withdraw": withdrawStatement,
  "statements.match.set": matchByHand,
  "statements.match.undo": undoMatch,
  "statements.day.explain": explainDifference,
  "statements.day.close": closeDay,
  "statements.day.reopen": reopenDay,
  "gateway.proposal.cancel": cancelProposal,
  "gateway.operator.add": addOperator,
  "gateway.operator.remove": removeOperator,
  "gateway.operator_sign_in.reset": resetOperatorSignIn,
};

/** What is stored ahead of the act that names its hash. Unsigned, like a read: nothing else uses it. */
export const OPERATOR_PARTS = { "statements/parts": putStatementPart };

/** The same of each service that has dead letters. */
export const DEAD_LETTER_ACTS = Object.fromEntries(
  Object.values(deadLetterRequests).flatMap(({ retry, discard }): [string, RequestContract][] => [
    [retry.subject, retry],
    [discard.subject, discard],
  ]),
);

/** The acts that begin a session: their signature, the password and the code prove who it is. */
export const OPERATOR_SIGN_INS = {
  "gateway.operator_sign_in.set_up": setUpOperatorSignIn,
  "gateway.operator_sign_in.check": signInOperator,
};

/** What a browser may ask before: whose its key is. */
export const OPERATOR_KEY = getOperatorKey;
