import type { listBankMovements, listOutboundTransfers, Result } from "@collect/contracts";
import type { Kobo } from "@collect/money";

/** Something that the bank reported to us or was ordered to do. Amounts are signed: what reaches our account is positive. */
export type Movement = {
  key: string;
  /** The partner; null for a payout of which it is not known. */
  bank: string | null;
  /** It leaves from the account of its partner's payouts, or from the one that pays out; anything else arrives at that of its partner. */
  isPayout: boolean;
  amount: Kobo;
  /** What the bank kept of it, and is not in the amount. */
  kept: Kobo;
  occurredAt: string;
  /** Null while our books do not have it. */
  bookedAt: string | null;
  isVoid: boolean;
  sessionId: string | null;
  settlementId: string | null;
  references: string[];
};

type Reported = Result<typeof listBankMovements>["rows"][number];

/** An incoming transfer: what the bank kept of it does not reach our account. If it kept all, no line of the account shows it. */
export function incoming(row: Reported): Movement[] {
  const kept = (row.bank_fee ?? 0n) + (row.bank_vat ?? 0n);
  const amount = row.amount - kept;
  if (amount === 0n) return [];
  const movement = {
    ...{ key: row.intake_id, bank: row.bank, isPayout: false, amount, kept, isVoid: false },
    ...{ occurredAt: row.paid_at, bookedAt: row.received_at },
    ...{ sessionId: row.session_id ?? null, settlementId: row.settlement_id ?? null },
    references: [row.bank_transfer_id],
  };
  return [movement];
}

type Payout = Result<typeof listOutboundTransfers>["rows"][number];

/**
 * A payout, and its way back if the bank reversed it. One that failed never was one; until it succeeds our books lack it, and until it is
 * sent no bank has it.
 */
export function outgoing({ transfer_id, amount, order, outcome, session_id, partner, ...times }: Payout): Movement[] {
  if (partner === null && outcome === null) return [];
  const completedAt = times.completed_at ?? null;
  const payout = {
    ...{ bank: partner ?? null, isPayout: true, kept: 0n, occurredAt: order.created_at, isVoid: outcome === "failed" },
    ...{ sessionId: session_id ?? null, settlementId: null, references: [transfer_id] },
  };
  const isBooked = outcome === "success" || outcome === "reversed";
  const out = { ...payout, key: transfer_id, amount: -amount, bookedAt: isBooked ? completedAt : null };
  if (outcome !== "reversed") return [out];
  const reversedAt = times.reversed_at ?? null;
  const back = { ...payout, key: `${transfer_id}:reversed`, amount, occurredAt: reversedAt ?? order.created_at };
  return [out, { ...back, bookedAt: reversedAt }];
}
