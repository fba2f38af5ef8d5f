/** When transfers are advanced. All times in milliseconds. */
export type TransferTimes = {
  /** How often each queue polls for due transfers, and how many of a mode it works on at once. */
  pollMs: number;
  concurrency: number;
  /**
   * How long a claimed transfer belongs to one process; longer than the time-outs of the bank and the ledger together.
   */
  leaseMs: number;
  /** How long a held transfer waits before it is tried again, if the end of its hold did not make it due before. */
  heldMs: number;
  /** How long a transfer can wait for its approval. */
  approvalMs: number;
  /** Waits after the bank or the ledger did not respond, or responded that the transfer is pending. */
  enquiry: BackOff;
  /** Waits before the merchant's event is published again, while it is not recorded. */
  notification: BackOff;
  /** For how long the bank has to say that it does not know a transfer until that has failed. */
  unknownAfterMs: number;
  /** When the transfer's status is queried again, counted from the end. */
  followUpsMs: readonly number[];
  /** How long after a failed follow-up the status is queried again. */
  followUpRetryMs: number;
  /** For how long, and as often as after a failed follow-up, it is queried again after the partner said that it came back. */
  reviewMs: number;
};

export type BackOff = { firstMs: number; longestMs: number };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const TRANSFER_TIMES: TransferTimes = {
  pollMs: SECOND,
  concurrency: 16,
  leaseMs: MINUTE,
  heldMs: 5 * MINUTE,
  approvalMs: 3 * DAY,
  enquiry: { firstMs: SECOND, longestMs: MINUTE },
  notification: { firstMs: 30 * SECOND, longestMs: HOUR },
  unknownAfterMs: 10 * MINUTE,
  followUpsMs: [5 * SECOND, HOUR, DAY, 3 * DAY, 7 * DAY],
  followUpRetryMs: 5 * MINUTE,
  reviewMs: DAY,
};

export function waitAfter({ firstMs, longestMs }: BackOff, attempts: number): number {
  return Math.min(firstMs * 2 ** attempts, longestMs);
}
