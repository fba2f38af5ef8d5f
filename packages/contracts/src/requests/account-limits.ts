import { z } from "zod";
import { Id } from "../fields.ts";
import { IssueCustomerAccount } from "../merchant-api/customer-accounts.ts";
import { request } from "../message.ts";
import { issueCustomerAccount } from "./accounts.ts";
import { byMerchant } from "./merchant.ts";

/**
 * The door of everything but POST /customer_accounts, whose calls the gateway counts exactly as specified. A request of its
 * own, so that no field that a caller sends can choose between them.
 */
export const issueAccountWithinLimit = request({
  subject: "accounts.customer_account.issue_within_limit",
  callers: ["payments", "dashboard"],
  meaning:
    "Issue a customer's account, or return the existing one; refused with rate_limited when the merchant has made its hourly number of new accounts.",
  deadlineMs: issueCustomerAccount.deadlineMs,
  input: byMerchant.extend(IssueCustomerAccount.shape),
  output: issueCustomerAccount.output,
});

export const readAccountLimit = request({
  subject: "gateway.merchant.account_limit",
  callers: ["accounts"],
  meaning: "How many new accounts a merchant may make in an hour.",
  input: z.object({ merchant_id: Id }),
  output: z.object({ accounts_per_hour: z.int() }),
});
