import {
  addOperator,
  allocateTransfer,
  browseAuditLogs,
  browseMerchants,
  cancelProposal,
  decideVerification,
  findImitations,
  getOperatorKey,
  getVerification,
  listExceptions,
  listOperators,
  listProposals,
  listUnfinished,
  listVerifications,
  removeOperator,
  resetOperatorSignIn,
  resumeMerchant,
  setUpOperatorSignIn,
  showMerchant,
  showPayouts,
  signInOperator,
  startPayouts,
  stopPayouts,
  suspendMerchant,
} from "@collect/contracts";

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
  audit: browseAuditLogs,
  operators: listOperators,
  proposals: listProposals,
};

/** The acts by their subjects, which the operator's browser signs: the server cannot make another act of one. */
export const OPERATOR_ACTS = {
  "gateway.merchant.suspend": suspendMerchant,
  "gateway.merchant.resume": resumeMerchant,
  "gateway.verification.decide": decideVerification,
  "payments.payouts.stop": stopPayouts,
  "payments.payouts.start": startPayouts,
  "accounts.transfer.allocate": allocateTransfer,
  "gateway.proposal.cancel": cancelProposal,
  "gateway.operator.add": addOperator,
  "gateway.operator.remove": removeOperator,
  "gateway.operator_sign_in.reset": resetOperatorSignIn,
};

/** The acts that begin a session: their signature, the password and the code prove who it is. */
export const OPERATOR_SIGN_INS = {
  "gateway.operator_sign_in.set_up": setUpOperatorSignIn,
  "gateway.operator_sign_in.check": signInOperator,
};

/** What a browser may ask before: whose its key is. */
export const OPERATOR_KEY = getOperatorKey;
