import type { Actor, FieldError, MerchantScope, Mode, TransferBatchState } from "@collect/contracts";
import { formatNaira, type Kobo } from "@collect/money";

export type Batch = {
  reference: string;
  merchantId: string;
  mode: Mode;
  name: string;
  state: TransferBatchState;
  lines: number;
  total: Kobo;
  createdAt: string;
  createdBy: Actor | null;
  confirmedAt: string | null;
  confirmedBy: Actor | null;
  approvedAt: string | null;
  approvedBy: Actor | null;
  approverSince: string | null;
  attempts: number;
};

/** How far its lines are. */
export type BatchProgress = {
  checked: number;
  faulty: number;
  ordered: number;
  orderedTotal: Kobo;
  refused: number;
  refusedTotal: Kobo;
};

export type BatchLine = {
  batch: string;
  line: number;
  amount: Kobo | null;
  bankCode: string;
  bankName: string | null;
  accountNumber: string;
  accountName: string | null;
  nameWithheld: boolean;
  narration: string | null;
  reference: string;
  faults: FieldError[];
  outcome: "ordered" | "refused" | null;
  refusal: string | null;
  transfer: string | null;
};

export const merchantOf = ({ merchantId, mode }: Batch): MerchantScope => ({ id: merchantId, mode });

/** What a file can still order: all of its lines, but for those that were ordered before. */
export type Open = { lines: number; total: Kobo; largest: Kobo };

/** The merchant's limits on payouts, and what was ordered today in the mode. */
export type Limits = {
  transferMax: Kobo | null;
  dayMax: Kobo | null;
  approvalAbove: Kobo | null;
  orderedToday: Kobo;
};

/**
 * Why the balance and the limits do not allow all the open lines together; undefined if they do. The ledger decides about each line
 * again when it reserves the money: what was ordered in between counts there.
 */
export function refusalOfAll(
  { total, largest }: Pick<Open, "total" | "largest">,
  { settled, limits: { transferMax, dayMax, orderedToday } }: { settled: Kobo; limits: Limits },
): { code: "insufficient_balance" | "payout_limit_exceeded"; detail: string } | undefined {
  if (transferMax !== null && largest > transferMax)
    return limited(
      `the largest line, ${formatNaira(largest)}, is above your limit of one transfer, ${formatNaira(transferMax)}`,
    );
  if (dayMax !== null && orderedToday + total > dayMax)
    return limited(
      `${formatNaira(total)} is above what is left of today's limit, ${formatNaira(dayMax > orderedToday ? dayMax - orderedToday : 0n)}`,
    );
  return total <= settled ? undefined : { code: "insufficient_balance", detail: tooLow(total, settled) };
}

export const tooLow = (total: Kobo, settled: Kobo) =>
  `The file pays ${formatNaira(total)}, and ${formatNaira(settled)} is settled. Nothing was sent.`;

const limited = (why: string) => ({ code: "payout_limit_exceeded" as const, detail: `Nothing was sent: ${why}.` });

/**
 * Many small transfers need the second person as one large one does, and many small files as one large one: `today` is the sum of
 * the merchant's other files that were confirmed today.
 */
export const needsApproval = (total: Kobo, { today, limits }: { today: Kobo; limits: Limits }): boolean =>
  limits.approvalAbove !== null && today + total > limits.approvalAbove;

/** Where the same was found: an earlier transfer, or a line of another file that is being ordered. */
export type Repeat = { line: number; hasOwnReference: boolean; reference: string; at: string };

export function repeatFault({ hasOwnReference, reference, at }: Repeat): FieldError {
  const earlier = `${reference} of ${DAY.format(new Date(at))}`;
  if (hasOwnReference)
    return {
      param: "reference",
      code: "used",
      message: `This reference was used before, by ${earlier}. It pays only once.`,
    };
  return {
    ...{ param: "line", code: "paid_recently" },
    message: `${earlier} pays the same amount to the same account. If both are meant, give this line a reference.`,
  };
}
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "Africa/Lagos" });

/** What a line is refused with that was about to be ordered when the service stopped for long, or went back in time. */
export const INTERRUPTED =
  "This file was interrupted for more than an hour, or the database was restored. Nothing was sent for this line. Check that it wasn't paid in another way before you try it again.";
