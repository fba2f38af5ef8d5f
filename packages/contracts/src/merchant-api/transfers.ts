import { z } from "zod";
import {
  AccountNumber,
  BankCode,
  Currency,
  Metadata,
  Mode,
  Naira,
  Narration,
  NewMerchantReference,
  NewMetadata,
  PositiveNaira,
  ReferenceQuery,
} from "../fields.ts";
import { listOf, Page, Timestamp } from "./lists.ts";
import { ONE_PAGE, PAYOUT, SUPPLIER, SUPPLIER_NAMES, TRANSFER } from "./story.ts";

const TEST_BANK = { code: SUPPLIER.bank_code, name: SUPPLIER_NAMES.bank_name, type: "test_bank" };

/** The licenses of the list in `@collect/bank`, and the bank that exists in test mode only. */
const BANK_TYPES = [
  "deposit_money_bank",
  "non_interest_bank",
  "merchant_bank",
  "payment_service_bank",
  "microfinance_bank",
  "mobile_money_operator",
  "test_bank",
] as const;

const BankName = z.string().meta({ description: "The bank's name." });

export const Bank = z
  .object({
    code: BankCode.meta({ description: "The `bank_code` of a transfer: three or six digits, as a string." }),
    name: BankName,
    type: z.enum(BANK_TYPES).meta({ description: "Its license. `test_bank` is a bank that exists in test mode only." }),
  })
  .meta({ id: "Bank", description: "A bank that transfers can be sent to.", examples: [TEST_BANK] });
export type Bank = z.output<typeof Bank>;
export const BankList = z
  .object({
    data: z.array(Bank).meta({
      description:
        "All of them, by name; in test mode the test bank first. There, the ninth digit of an account number decides what becomes of a transfer to any of them.",
    }),
    mode: Mode,
  })
  .meta({
    id: "BankList",
    description: "The banks that transfers can be sent to.",
    examples: [
      { data: [TEST_BANK, { code: "058", name: "Guaranty Trust Bank", type: "deposit_money_bank" }], mode: "test" },
    ],
  });

export const ResolveAccount = z
  .object({ bank_code: BankCode, account_number: AccountNumber })
  .meta({ description: "The account whose holder you look up.", examples: [SUPPLIER] });
export const ResolvedAccount = z
  .object({
    bank_code: BankCode,
    bank_name: BankName,
    account_number: AccountNumber,
    account_name: z.string().meta({
      description: "The holder's name, as the bank has it. Compare it before you send money.",
    }),
    mode: Mode,
  })
  .meta({
    id: "ResolvedAccount",
    description: "A bank account and the name of its holder.",
    examples: [{ ...SUPPLIER, ...SUPPLIER_NAMES, mode: "test" }],
  });

/** `reference` is the idempotency key: a repeat returns the same transfer, and is refused if its values differ. */
export const CreateTransfer = z
  .object({
    amount: PositiveNaira.meta({ description: "What the beneficiary receives, in naira, out of Settled." }),
    bank_code: BankCode,
    account_number: AccountNumber.meta({ description: "The beneficiary's: ten digits (NUBAN), as a string." }),
    reference: NewMerchantReference.meta({
      description:
        "Your own id of the transfer. A repeat with the same values returns the same transfer; with other values it is refused with `reference_conflict`.",
    }),
    narration: Narration.optional(),
    metadata: NewMetadata.optional().meta({
      description:
        "Your own values with it, which every response and event about it returns: up to 20 keys of 40 characters, with strings of up to 500. In a form, `metadata[order]=17`. A repeat with others is refused with `reference_conflict`.",
    }),
  })
  .meta({ description: "The transfer that you order.", examples: [PAYOUT] });

export const TRANSFER_STATUSES = ["pending", "success", "failed", "reversed"] as const;
export const TransferStatus = z.enum(TRANSFER_STATUSES).meta({
  description: `How far it is; each of the last three sends the event of its name.
- \`pending\`: the money is reserved. It may have been sent: do not order it again under another reference.
- \`success\`: the beneficiary's bank accepted it.
- \`failed\`: nothing was paid, and the money is back in Settled.
- \`reversed\`: the bank returned it after a success, and the money is back in Settled.`,
});
export type TransferStatus = z.infer<typeof TransferStatus>;

/** Money that a merchant sends from Settled to a bank account. */
export const Transfer = z
  .object({
    reference: z.string().meta({
      description: "Our id of the transfer. A success and its reversal share it.",
      examples: [TRANSFER.reference],
    }),
    merchant_reference: z.string().meta({ description: "Your own id of it, sent as `reference`." }),
    status: TransferStatus,
    amount: Naira.meta({ description: "What the beneficiary receives, in naira." }),
    fee: Naira.meta({ description: "Our fee for the transfer, in naira; 0 by default." }),
    currency: Currency,
    bank_code: BankCode,
    bank_name: BankName,
    account_number: AccountNumber.meta({ description: "The beneficiary's." }),
    account_name: z.string().meta({
      description:
        "The holder's name, as the bank has it. In live mode it is reduced to initials (`N*** E***`) when 30 or more accounts were looked up, or ordered to for the first time, within 60 minutes, and this one was neither looked up within the hour nor sent ₦100 or more before; it is shown once ₦100 or more was sent.",
    }),
    narration: z.string().nullable().meta({ description: "As you sent it; null if you sent none." }),
    failure_code: z.string().nullable().meta({
      description:
        "Why it failed or was reversed, for programs: a code of the bank, or of our adapter for it (such as `invalid_account`, `below_minimum`, `partner_balance` or `not_sent`), or `not_received`, `not_executed`, `approval_declined` or `approval_expired`. Null in other states, and if the bank gave none.",
    }),
    failure_reason: z.string().nullable().meta({ description: "The same for people." }),
    metadata: Metadata,
    mode: Mode,
    created_at: Timestamp.meta({ description: "When you ordered it." }),
    completed_at: Timestamp.nullable().meta({
      description: "When it ended, or, in `reversed`, when it was reversed; null while it is `pending`.",
    }),
  })
  .meta({
    id: "Transfer",
    description: "Money that you send from Settled to a bank account.",
    examples: [TRANSFER],
  });
export type Transfer = z.output<typeof Transfer>;

export const ListTransfers = Page.extend({
  status: z
    .enum([...TRANSFER_STATUSES, "all"])
    .default("all")
    .meta({ description: "Only transfers in this status." }),
  reference: ReferenceQuery.optional().meta({
    description:
      "The one that you ordered under this `reference`, its `merchant_reference`, even while its money is being reserved; or the one with this `trf_…`. An order whose call is still running may not be listed yet: if you do not know whether it was accepted, repeat it with the same `reference`.",
  }),
});
export const TransferList = listOf(Transfer).meta({
  id: "TransferList",
  description: "A page of transfers.",
  examples: [{ data: [TRANSFER], ...ONE_PAGE }],
});
