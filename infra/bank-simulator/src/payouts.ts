import { isDeepStrictEqual } from "node:util";
import { BANK_CODE_PATTERN } from "@collect/bank";
import { AccountNumber, Problem } from "@collect/contracts";
import { z } from "zod";
import type { Accounts } from "./accounts.ts";
import type { Journal } from "./journal.ts";
import { NairaAmount } from "./parse.ts";

export const PayoutInstruction = z.object({
  /** Made by whoever pays: a repeat with the same id moves no more money. */
  id: z.string().min(1).max(100),
  bank_code: z.string().regex(BANK_CODE_PATTERN),
  account_number: AccountNumber,
  amount: NairaAmount,
  narration: z.string().max(200).optional(),
});
export type PayoutInstruction = z.infer<typeof PayoutInstruction>;

export const Payout = PayoutInstruction.extend({
  status: z.enum(["success", "failed"]),
  failure_code: z.literal("account_not_found").nullable(),
  completed_at: z.string(),
});
export type Payout = z.infer<typeof Payout>;

export type Payouts = { pay(instruction: PayoutInstruction): Payout; get(id: string): Payout };

/** Payouts are settled at once: success wherever the account exists. */
export function createPayouts({ accounts, journal }: { accounts: Accounts; journal: Journal<Payout> }): Payouts {
  const byId = new Map(journal.entries.map((payout) => [payout.id, payout]));

  function settle(instruction: PayoutInstruction): Payout {
    const found = accounts.nameOf(instruction) !== undefined;
    const payout: Payout = {
      ...instruction,
      status: found ? "success" : "failed",
      failure_code: found ? null : "account_not_found",
      completed_at: new Date().toISOString(),
    };
    journal.append(payout);
    byId.set(payout.id, payout);
    return payout;
  }

  return {
    pay(instruction) {
      const payout = byId.get(instruction.id) ?? settle(instruction);
      if (isDeepStrictEqual(PayoutInstruction.parse(payout), instruction)) return payout;
      throw new Problem("conflict", "This id was used for another payout.");
    },
    get(id) {
      const payout = byId.get(id);
      if (!payout) throw new Problem("not_found", "There is no payout with this id.");
      return payout;
    },
  };
}
