import { z } from "zod";
import { AccountNumber, BankCode, Instant } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** Accounts that a merchant saved to pay them again. */

/** How many a merchant can have in each mode: all of them are one page. */
export const BENEFICIARIES_MAX = 500;

const Account = z.object({ bank_code: BankCode, account_number: AccountNumber });

const Beneficiary = Account.extend({
  bank_name: z.string(),
  /** As it was when it was saved. The bank is asked again before each transfer. */
  account_name: z.string(),
  saved_at: Instant,
});

export const listBeneficiaries = request({
  subject: "payments.beneficiary.list",
  callers: ["dashboard"],
  meaning: "The saved beneficiaries of one merchant and mode, by name.",
  input: byScope,
  output: z.object({ data: z.array(Beneficiary) }),
});

export const saveBeneficiary = request({
  subject: "payments.beneficiary.save",
  callers: ["dashboard"],
  meaning:
    "Save the account of a transfer that succeeded: its name is the bank's, and no account is looked up for it. A repeat changes nothing.",
  input: byScope.extend({ reference: z.string().max(100) }),
  output: Beneficiary,
});

export const removeBeneficiary = request({
  subject: "payments.beneficiary.remove",
  callers: ["dashboard"],
  meaning: "Forget a saved beneficiary. A repeat changes nothing.",
  input: byScope.extend(Account.shape),
  output: z.object({}),
});
