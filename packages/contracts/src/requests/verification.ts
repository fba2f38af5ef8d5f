import { z } from "zod";
import { AccountNumber, BankCode, FreeText, Id, Instant, Name } from "../fields.ts";
import { ResolveAccount } from "../merchant-api/transfers.ts";
import { request } from "../message.ts";
import { Suspension } from "./standing.ts";

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
  /** While the operator has suspended the merchant, verified or not. */
  suspension: Suspension.nullable(),
});
export type Verification = z.output<typeof Verification>;

export const getVerification = request({
  subject: "gateway.verification.get",
  callers: ["dashboard", "operator"],
  operator: "read",
  operatorPages: true,
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

export const resolveSettlementAccount = request({
  subject: "payments.settlement_account.resolve",
  callers: ["gateway"],
  meaning:
    "The name of a settlement account's holder, for a verification: the merchant is not verified yet. The gateway limits it.",
  deadlineMs: 12_000,
  input: ResolveAccount,
  output: z.object({ bank_name: z.string(), account_name: z.string() }),
});

export const decideVerification = request({
  subject: "gateway.verification.decide",
  callers: ["operator"],
  operator: { action: "verification.decided", detail: ["decision", "reason", "despite_name"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Record the operator's decision on a submission: approved, or returned with a reason. Refused with conflict when the merchant has resubmitted since, and when the approval does not say that the name may resemble another's.",
  input: z.object({
    merchant_id: Id,
    /** The time of the submission that the operator reviewed. */
    submitted_at: Instant.nullable(),
    decision: z.enum(["approved", "returned"]),
    reason: FreeText.min(1).optional(),
    /** Approve although the name imitates a bank's or another merchant's. */
    despite_name: z.boolean().default(false),
  }),
  output: Verification,
});

export const listVerifications = request({
  subject: "gateway.verification.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Verifications in a state, longest waiting first; 100 at most.",
  input: z.object({ state: z.enum(VERIFICATION_STATES).default("submitted") }),
  output: z.object({ verifications: z.array(Verification) }),
});

export const findImitations = request({
  subject: "gateway.verification.imitations",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "The banks and verified merchants whose names these merchants' resemble, found anew each time. Not for the dashboard: it names other merchants.",
  input: z.object({ merchant_ids: z.array(Id).max(100) }),
  output: z.object({ imitations: z.array(z.object({ merchant_id: Id, names: z.array(z.string()) })) }),
});
