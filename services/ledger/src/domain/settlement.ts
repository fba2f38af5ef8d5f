import type { MerchantScope } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { collected, settled } from "./account.ts";
import { balanced, credit, debit, type Transaction } from "./transaction.ts";

/** Money collected on one Lagos day is settled `delayDays` days later, at `atMinutes` minutes past midnight in Lagos. */
export type SettlementSchedule = { delayDays: number; atMinutes: number };

/** T+1 at 06:00. */
export const DEFAULT_SETTLEMENT_SCHEDULE: SettlementSchedule = { delayDays: 1, atMinutes: 6 * 60 };

const DAY_MS = 86_400_000;
/** Lagos is UTC+1 all year: Nigeria has not changed its offset since 1919, so every day has 24 hours. */
const LAGOS_AHEAD_MS = 3_600_000;

/**
 * The midnight in Lagos before which everything must be settled at `now`. It changes once a day, at the schedule's time;
 * after days of downtime it covers all of them.
 */
export function latestCutOff(now: Date, { delayDays, atMinutes }: SettlementSchedule): Date {
  const lagos = now.getTime() + LAGOS_AHEAD_MS;
  const day = Math.floor((lagos - atMinutes * 60_000) / DAY_MS);
  return new Date((day - (delayDays - 1)) * DAY_MS - LAGOS_AHEAD_MS);
}

/** When money that was recorded at this time is settled. */
export function settlementOf(recordedAt: Date, { delayDays, atMinutes }: SettlementSchedule): Date {
  const day = Math.floor((recordedAt.getTime() + LAGOS_AHEAD_MS) / DAY_MS);
  return new Date((day + delayDays) * DAY_MS + atMinutes * 60_000 - LAGOS_AHEAD_MS);
}

/** When the next cut-off is settled: the schedule's next time of day in Lagos, always after `now`. */
export function nextSettlement(now: Date, { atMinutes }: SettlementSchedule): Date {
  const atMs = atMinutes * 60_000 - LAGOS_AHEAD_MS;
  const day = Math.floor((now.getTime() - atMs) / DAY_MS);
  return new Date((day + 1) * DAY_MS + atMs);
}

/** Converts `06:00` to minutes of the day, and back. */
export function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
export function timeOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Moves Collected to Settled, once for each cut-off. */
export function settlementTransaction(given: { merchant: MerchantScope; amount: Kobo; cutOff: string }): Transaction {
  const { merchant, amount, cutOff } = given;
  return balanced(
    {
      key: `settlement:${merchant.mode}:${merchant.id}:${cutOff}`,
      kind: "settlement",
      mode: merchant.mode,
      merchantId: merchant.id,
      amount,
      fee: 0n,
      feeBasisPoints: 0,
      occurredAt: cutOff,
      receivedAt: null,
    },
    [debit(collected(merchant), amount), credit(settled(merchant), amount)],
  );
}
