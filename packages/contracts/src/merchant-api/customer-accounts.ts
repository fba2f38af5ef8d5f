import { z } from "zod";
import { AccountNumber, CustomerReference, Mode, Name } from "../fields.ts";
import { listOf, Page, Timestamp } from "./lists.ts";
import { ACCOUNT, CREATED_AT, CUSTOMER, ONE_PAGE } from "./story.ts";

const EXAMPLE = { ...CUSTOMER, ...ACCOUNT, status: "active", mode: "test", created_at: CREATED_AT };

/** The one permanent bank account number of a customer, in one mode. */
export const CustomerAccount = z
  .object({
    customer_reference: CustomerReference,
    customer_name: z.string(),
    account_number: AccountNumber,
    account_name: z.string(),
    bank_name: z.string(),
    status: z.enum(["active", "retired"]),
    mode: Mode,
    created_at: Timestamp,
  })
  .meta({ id: "CustomerAccount", examples: [EXAMPLE] });
export type CustomerAccount = z.output<typeof CustomerAccount>;

export const IssueCustomerAccount = z
  .object({
    customer_reference: CustomerReference,
    customer_name: Name.optional().meta({ description: "Required the first time a `customer_reference` is used." }),
  })
  .meta({ examples: [CUSTOMER] });

export const ListCustomerAccounts = Page.extend({ status: z.enum(["active", "retired", "all"]).default("active") });
export const CustomerAccountList = listOf(CustomerAccount).meta({
  id: "CustomerAccountList",
  examples: [{ data: [EXAMPLE], ...ONE_PAGE }],
});
