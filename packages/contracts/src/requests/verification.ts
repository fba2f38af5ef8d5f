import { z } from "zod";
import { AccountNumber, BankCode, FreeText, Id, Instant, Name } from "../fields.ts";
import { request } from "../message.ts";

/** Business verification: only an approved merchant has live keys. */

export const VERIFICATION_STATES = ["draft", "submitted", "approved", "returned"] as const;

/** The details that an operator decides on. A draft may lack any of them. */
export const BusinessDetails = z.object({
  registered_name: Name,
  /** Of the Corporate Affairs Commission: RC, BN or IT and its digits. */
  rc_number: z
    .string()
    .trim()
    .regex(/^(RC|BN|IT)?\s?\d{3,10}$/i, "must be a registration number such as RC 123456"),
  address: FreeText.min(5, "must be at least 5 characters"),
  contact_name: Name,
  contact_email: z.string().trim().max(254).pipe(z.email("must be an email address")),
  contact_phone: z
    .string()
    .trim()
    .regex(/^\+?[\d ]{7,20}$/, "must be a phone number"),
  settlement_bank_code: BankCode,
  settlement_account_number: AccountNumber,
});

/** The same as stored: validated once when saved, not when displayed. */
export const KeptDetails = z.partialRecord(BusinessDetails.keyof(), z.string());
export type KeptDetails = z.output<typeof KeptDetails>;

const Verification = z.object({
  merchant_id: Id,
  merchant_name: z.string(),
  state: z.enum(VERIFICATION_STATES),
  details: KeptDetails,
  /** The name of the settlement account's holder, which the bank returned on submission. */
  settlement_account_name: z.string().nullable(),
  settlement_bank_name: z.string().nullable(),
  /** Why it was returned. */
  reason: z.string().nullable(),
  submitted_at: Instant.nullable(),
  decided_at: Instant.nullable(),
});
export type Verification = z.output<typeof Verification>;

export const getVerification = request({
  subject: "gateway.verification.get",
  callers: ["dashboard", "operator"],
  meaning: "A merchant's verification; an empty draft before the merchant has started it.",
  input: z.object({ merchant_id: Id }),
  output: Verification,
});

export const saveVerification = request({
  subject: "gateway.verification.save",
  callers: ["dashboard"],
  meaning: "Save the draft. Refused with conflict while it is under review, and after approval.",
  input: z.object({ merchant_id: Id, details: BusinessDetails.partial() }),
  output: Verification,
});

export const submitVerification = request({
  subject: "gateway.verification.submit",
  callers: ["dashboard"],
  meaning: "Submit it to the operator. All details are required, and the bank must know the settlement account.",
  deadlineMs: 14_000,
  input: z.object({ merchant_id: Id, details: BusinessDetails }),
  output: Verification,
});

export const decideVerification = request({
  subject: "gateway.verification.decide",
  callers: ["operator"],
  meaning:
    "Record the operator's decision on a submission: approved, or returned with a reason. Refused with conflict when the merchant has resubmitted since.",
  input: z.object({
    merchant_id: Id,
    /** The time of the submission that the operator reviewed. */
    submitted_at: Instant.nullable(),
    decision: z.enum(["approved", "returned"]),
    reason: FreeText.min(1).optional(),
  }),
  output: Verification,
});

export const listVerifications = request({
  subject: "gateway.verification.list",
  callers: ["operator"],
  meaning: "Verifications in a state, longest waiting first; 100 at most.",
  input: z.object({ state: z.enum(VERIFICATION_STATES).default("submitted") }),
  output: z.object({ verifications: z.array(Verification) }),
});
