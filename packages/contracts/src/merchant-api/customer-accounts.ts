import { z } from "zod";
import {
  AccountNumber,
  CustomerReference,
  Metadata,
  Mode,
  Name,
  NewCustomerReference,
  NewMetadata,
  PersonNumber,
} from "../fields.ts";
import { listOf, Page, Timestamp } from "./lists.ts";
import { ACCOUNT, CREATED_AT, CUSTOMER, METADATA, ONE_PAGE } from "./story.ts";

const EXAMPLE = { ...CUSTOMER, ...ACCOUNT, status: "active", metadata: METADATA, mode: "test", created_at: CREATED_AT };

/** The one permanent bank account number of a customer, in one mode. */
export const CustomerAccount = z
  .object({
    customer_reference: CustomerReference,
    customer_name: z
      .string()
      .meta({ description: "As it was first sent; a repeat with another name changes nothing." }),
    account_number: AccountNumber.meta({
      description: "The customer's own, permanently: ten digits (NUBAN). In test mode it can receive no real transfer.",
    }),
    account_name: z.string().meta({
      description:
        "What a payer's bank shows for the number: your business, perhaps shortened, and the customer, as in `Ada Stores / Ngozi Eze`.",
    }),
    bank_name: z.string().meta({ description: "The partner bank that holds the account." }),
    status: z.enum(["active", "retired"]).meta({
      description:
        "`retired` is permanent: no new sessions and simulations, but money that still arrives is credited, with `collection.success`.",
    }),
    metadata: Metadata,
    mode: Mode,
    created_at: Timestamp.meta({ description: "When the account was issued." }),
  })
  .meta({
    id: "CustomerAccount",
    description: "The one permanent account number of a customer, in one mode.",
    examples: [EXAMPLE],
  });
export type CustomerAccount = z.output<typeof CustomerAccount>;

export const IssueCustomerAccount = z
  .object({
    customer_reference: NewCustomerReference,
    customer_name: Name.optional().meta({
      description: "Required the first time a `customer_reference` is used; it becomes part of the account's name.",
    }),
    metadata: NewMetadata.optional(),
    bvn: PersonNumber.optional().meta({
      description:
        "The customer's Bank Verification Number. Send it, or `nin`, if the bank asks for one: the call is then refused with `identity_required` without it. It is passed on to the bank and kept nowhere.",
    }),
    nin: PersonNumber.optional().meta({
      description: "The customer's National Identification Number, instead of `bvn`.",
    }),
  })
  .meta({ description: "The customer who gets an account.", examples: [{ ...CUSTOMER, metadata: METADATA }] });

export const ListCustomerAccounts = Page.extend({
  status: z.enum(["active", "retired", "all"]).default("active").meta({ description: "Only accounts in this status." }),
});
export const CustomerAccountList = listOf(CustomerAccount).meta({
  id: "CustomerAccountList",
  description: "A page of customer accounts.",
  examples: [{ data: [EXAMPLE], ...ONE_PAGE }],
});
