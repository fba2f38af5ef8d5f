/** When transfers are gone on with. All in milliseconds. */
export type TransferTimes = {
  /** How often each queue looks for what is due, and how many transfers of a mode it works on at once. */
  pollMs: number;
  atOnce: number;
  /** How long what a process has taken is nobody else's; it covers a bank's and a ledger's time-out together. */
  leaseMs: number;
  /** Waits after the bank or the ledger gave no answer, or none that ends the matter. */
  ask: BackOff;
  /** Waits until the merchant's event is published again, when nobody has said that it is recorded. */
  tell: BackOff;
  /** How long after it was sent a transfer that the bank has never heard of has failed. */
  unknownAfterMs: number;
  /** When the bank is asked again after the end, counted from it. */
  followUpsMs: readonly number[];
  /** When it is asked in vain, it is asked again after this. */
  followUpAgainMs: number;
};

export type BackOff = { firstMs: number; longestMs: number };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const TRANSFER_TIMES: TransferTimes = {
  pollMs: SECOND,
  atOnce: 16,
  leaseMs: MINUTE,
  ask: { firstMs: SECOND, longestMs: MINUTE },
  tell: { firstMs: 30 * SECOND, longestMs: HOUR },
  unknownAfterMs: 10 * MINUTE,
  followUpsMs: [5 * SECOND, HOUR, DAY, 3 * DAY, 7 * DAY],
  followUpAgainMs: 5 * MINUTE,
};

/** Doubles with every attempt. */
export function waitAfter({ firstMs, longestMs }: BackOff, attempts: number): number {
  return Math.min(firstMs * 2 ** attempts, longestMs);
}
