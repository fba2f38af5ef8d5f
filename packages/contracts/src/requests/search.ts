import { z } from "zod";
import { SearchText } from "../browse.ts";
import { AccountNumber, CustomerReference, Instant, Naira } from "../fields.ts";
import { SESSION_STATUSES } from "../merchant-api/session.ts";
import { TRANSFER_STATUSES } from "../merchant-api/transfers.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** The search of the dashboard: each service returns the few best of each kind that it owns. */

/** At most this many of each kind. */
export const FOUND_MAX = 6;
/** A person is typing: a service that takes longer is left out. */
const DEADLINE_MS = 2_500;

const found = <Row extends z.ZodType>(row: Row) => z.array(row).max(FOUND_MAX);

export const searchPayments = request({
  subject: "payments.records.search",
  callers: ["dashboard"],
  meaning:
    "The newest collections, sessions and transfers, and the payers and links, that a text names: an amount, a reference or its beginning, the beginning of a word of a name or title, an account number, an email address, or a value of the metadata.",
  deadlineMs: DEADLINE_MS,
  input: byScope.extend({ text: SearchText }),
  output: z.object({
    collections: found(
      z.object({
        reference: z.string(),
        amount: Naira,
        payer_name: z.string(),
        customer_name: z.string().nullable(),
        paid_at: Instant,
      }),
    ),
    payers: found(
      z.object({
        id: z.string(),
        name: z.string(),
        account_number: z.string().nullable(),
        bank_name: z.string().nullable(),
      }),
    ),
    sessions: found(
      z.object({
        reference: z.string(),
        merchant_reference: z.string().nullable(),
        /** The customer's name, or that of the payer who gave it at the checkout. */
        name: z.string().nullable(),
        amount: Naira,
        status: z.enum(SESSION_STATUSES),
        created_at: Instant,
      }),
    ),
    transfers: found(
      z.object({
        reference: z.string(),
        merchant_reference: z.string(),
        account_name: z.string(),
        amount: Naira,
        status: z.enum(TRANSFER_STATUSES),
        created_at: Instant,
      }),
    ),
    links: found(z.object({ slug: z.string(), title: z.string(), amount: Naira.nullable() })),
  }),
});

export const searchCustomers = request({
  subject: "accounts.customer_account.search",
  callers: ["dashboard"],
  meaning:
    "The customer accounts that a text names: a reference or its beginning, an account number, the beginning of a word of the name, or a value of the metadata.",
  deadlineMs: DEADLINE_MS,
  input: byScope.extend({ text: SearchText }),
  output: z.object({
    customers: found(
      z.object({
        customer_reference: CustomerReference,
        customer_name: z.string(),
        account_number: AccountNumber,
        status: z.enum(["active", "retired"]),
      }),
    ),
  }),
});
