import type { Kobo } from "@collect/money";
import { bank, bankCharges, ownFunds, type Shard } from "./account.ts";
import { balanced, credit, debit, type Leg, type Transaction } from "./transaction.ts";

/** What a closed day establishes of an account of ours at a bank: what the bank charged, and our own money that came, less what went. */
export type DayTotal = "charges" | "own_funds";

/** `total` as the closed day has it, `before` as it was booked until now. */
export type DayVersion = { account: string; day: string; version: number; before: Kobo; total: Kobo };

type Booking = { more: Transaction["kind"]; less: Transaction["kind"]; legs(ours: Shard, more: Kobo): Leg[] };

const BOOKINGS: Record<DayTotal, Booking> = {
  charges: {
    ...{ more: "bank_charge", less: "bank_charge_refund" },
    legs: (ours, more) => [debit(bankCharges(ours), more), credit(bank(ours), more)],
  },
  own_funds: {
    ...{ more: "own_funds_in", less: "own_funds_out" },
    legs: (ours, more) => [debit(bank(ours), more), credit(ownFunds(ours), more)],
  },
};

/** Books what the total is more than before, or takes it back. Live money only, and no merchant's. */
export function totalTransaction(of: DayTotal, given: DayVersion & { shard: number }): Transaction {
  const { account, day, version, before, total, shard } = given;
  const ours = { mode: "live" as const, shard };
  const change = total - before;
  const { more, less, legs } = BOOKINGS[of];
  return balanced(
    {
      key: `day_${of}:${account}:${day}:${version}`,
      kind: change > 0n ? more : less,
      mode: ours.mode,
      merchantId: null,
      amount: change > 0n ? change : -change,
      fee: 0n,
      feeBasisPoints: 0,
      occurredAt: `${day}T00:00:00.000+01:00`,
      receivedAt: null,
    },
    legs(ours, change),
  );
}
