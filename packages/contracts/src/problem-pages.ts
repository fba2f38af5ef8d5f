import { PROBLEMS, type ProblemCode } from "./problem.ts";

/** Which errors have a page in the documentation of the merchant API, and where it is. */

const CODES = Object.keys(PROBLEMS).filter(isProblemCode);
/** Codes that occur only at the bank door, for the operator and in the dashboard. */
const OTHER_AUDIENCES = [
  "invalid_signature",
  "invalid_operator",
  "approval_required",
  "own_proposal",
  "offer_contradicts_partner",
  "conflict",
  "account_active",
  "already_attached",
  "not_attachable",
  "still_in_progress",
  "sign_in_required",
  "session_ended",
  "address_unconfirmed",
  "second_factor_required",
  "enrolment_required",
  "role_required",
  "second_person_required",
  "approver_too_new",
  "reauthentication_required",
] as const satisfies readonly ProblemCode[];

/** The codes that the merchant API returns. */
export type MerchantCode = Exclude<ProblemCode, (typeof OTHER_AUDIENCES)[number]>;
const OF_OTHERS: ReadonlySet<string> = new Set(OTHER_AUDIENCES);
export const MERCHANT_CODES = CODES.filter(isMerchantCode);

/** The page about an error: in the documentation at this URL, or else on this host. */
export function problemPage(code: MerchantCode, docs: string | null = null): string {
  return `${(docs ?? "/docs").replace(/\/+$/, "")}/errors/${code}`;
}

/** The `type` of a problem: the page about its code, in the public documentation or else on this host. */
export function problemType(docs: string | null): (code: string) => string {
  return (code) => (isMerchantCode(code) ? problemPage(code, docs) : "about:blank");
}

export function isMerchantCode(code: string): code is MerchantCode {
  return isProblemCode(code) && !OF_OTHERS.has(code);
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
