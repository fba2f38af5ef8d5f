import { isDeepStrictEqual } from "node:util";
import { BANK_CODE_PATTERN } from "@collect/bank";
import { AccountNumber, Problem } from "@collect/contracts";
import { parseNaira } from "@collect/money";
import { z } from "zod";
import type { Journal } from "../journal.ts";
import { NairaAmount } from "../parse.ts";
import type { Statements } from "../statements.ts";
import type { Accounts } from "./accounts.ts";

export const PayoutInstruction = z.object({
  /** Chosen by the payer: a repeat with the same id moves no more money. */
  id: z.string().min(1).max(100),
  bank_code: z.string().regex(BANK_CODE_PATTERN),
  account_number: AccountNumber,
  amount: NairaAmount,
  narration: z.string().max(200).optional(),
});
export type PayoutInstruction = z.infer<typeof PayoutInstruction>;

export const Payout = PayoutInstruction.extend({
  status: z.enum(["pending", "success", "failed", "reversed"]),
  failure_code: z.string().nullable(),
  failure_reason: z.string().nullable().default(null),
  completed_at: z.string().nullable(),
});
export type Payout = z.infer<typeof Payout>;

/**
 * The initial state of payouts from now on, or only of the next `times`: settled immediately, settled later through the
 * control API, or failed.
 */
export const PayoutSetting = z.object({
  begin: z.enum(["settled", "pending", "failed"]),
  times: z.int().min(1).max(1_000_000).optional(),
});
export type PayoutSetting = z.infer<typeof PayoutSetting>;

/** The next state of a payout: a pending one succeeds or fails, a successful one is reversed. */
export const PayoutChange = z.object({
  status: z.enum(["success", "failed", "reversed"]),
  failure_code: z.string().min(1).max(100).optional(),
  failure_reason: z.string().min(1).max(200).optional(),
});
export type PayoutChange = z.infer<typeof PayoutChange>;

export type Payouts = {
  pay(instruction: PayoutInstruction): Payout;
  get(id: string): Payout;
  set(setting: PayoutSetting): void;
  change(id: string, change: PayoutChange): Payout;
  /** The last thousand, newest first, with the number of times each was sent to this process. */
  sent(): (Payout & { times_sent: number })[];
};

const LISTED_MAX = 1_000;
const FAILURES = { failed: "declined", reversed: "returned", success: null } as const;

type Deps = { accounts: Accounts; statements: Statements; journal: Journal<Payout> };

export function createPayouts({ accounts, statements, journal }: Deps): Payouts {
  // A payout that changed has several lines in the journal; the last one counts.
  const byId = new Map(journal.entries.map((payout) => [payout.id, payout]));
  const timesSent = new Map<string, number>();
  let setting = { begin: "settled" as PayoutSetting["begin"], remaining: 0 };

  function store(payout: Payout): Payout {
    journal.append(payout);
    byId.set(payout.id, payout);
    statements.bookPayout({
      ...{ reference: payout.id, amount: Number(parseNaira(payout.amount)), hasLeft: payout.status === "success" },
      ...{ sessionId: null, narration: `TRANSFER TO ${payout.account_number}` },
    });
    return payout;
  }

  function begin(instruction: PayoutInstruction): Payout {
    if (accounts.nameOf(instruction) === undefined) return store(ended(instruction, "failed", "account_not_found"));
    const initial = setting.remaining-- > 0 ? setting.begin : "settled";
    if (initial === "pending")
      return store({ ...instruction, status: initial, failure_code: null, failure_reason: null, completed_at: null });
    return store(ended(instruction, initial === "failed" ? "failed" : "success"));
  }

  function get(id: string): Payout {
    const payout = byId.get(id);
    if (!payout) throw new Problem("not_found", "There is no payout with this id.");
    return payout;
  }

  return {
    pay(instruction) {
      const payout = byId.get(instruction.id) ?? begin(instruction);
      if (!isDeepStrictEqual(PayoutInstruction.parse(payout), instruction))
        throw new Problem("conflict", "This id was used for another payout.");
      timesSent.set(payout.id, (timesSent.get(payout.id) ?? 0) + 1);
      return payout;
    },
    get,
    set({ begin, times = Number.POSITIVE_INFINITY }) {
      setting = { begin, remaining: times };
    },
    change(id, { status, failure_code, failure_reason }) {
      const payout = get(id);
      if (payout.status === status) return payout;
      if (payout.status !== (status === "reversed" ? "success" : "pending"))
        throw new Problem("conflict", `A payout cannot go from ${payout.status} to ${status}.`);
      return store(ended(payout, status, failure_code, failure_reason));
    },
    sent: () =>
      [...byId.values()]
        .slice(-LISTED_MAX)
        .reverse()
        .map((payout) => ({ ...payout, times_sent: timesSent.get(payout.id) ?? 0 })),
  };
}

function ended(
  instruction: PayoutInstruction,
  status: PayoutChange["status"],
  failureCode: string | null = FAILURES[status],
  failureReason: string | null = null,
): Payout {
  const completed_at = new Date().toISOString();
  return { ...instruction, status, failure_code: failureCode, failure_reason: failureReason, completed_at };
}
