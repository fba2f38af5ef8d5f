import type { Mode } from "@collect/contracts";

/** What the outside knows, kept apart from everything that the product says of itself. Amounts in kobo, times as `Date.now()`. */

/** A transfer that the bank reports until it is answered 200. */
export type Reported = {
  id: string;
  merchant: number;
  accountNumber: string;
  amount: number;
  paidAtMs: number;
  firstSentAt: number;
  answeredAt: number | undefined;
  session: string | undefined;
};

export type SessionPlan = "exact" | "under" | "over" | "late" | "never";
export type OpenedSession = {
  reference: string;
  merchant: number;
  plan: SessionPlan;
  amount: number;
  expiresAtMs: number;
  paidBy: Reported | undefined;
};

/** A transfer out, as the merchant ordered it. `refused`: answered 4xx, so that it must never reach the bank. */
export type OrderedPayout = {
  merchant: number;
  merchantReference: string;
  amount: number;
  reference: string | undefined;
  refused: boolean;
};

/** Test money that was asked for; `reference` once it was answered 200. */
export type Simulated = { merchant: number; amount: number; reference: string | undefined };

/** One delivery as a merchant's server got it. The first of each event has the time at which it came. */
export type Delivered = {
  merchant: number;
  mode: Mode;
  event: string;
  sequence: number;
  number: number;
  /** SHA-256 of the raw bytes. */
  hash: string;
  at: number;
  data: EventData;
};
export type EventData = {
  reference: string;
  amount: number;
  account_number?: string;
  paid_at?: string;
  payment_reference?: string | null;
  payer_name?: string;
  merchant_reference?: string;
};

export type Books = {
  reported: Reported[];
  sessions: OpenedSession[];
  payouts: OrderedPayout[];
  simulated: Simulated[];
  delivered: Delivered[];
  /** What was wrong on the way: a signature, an answer that no retry can explain. */
  oddities: string[];
};

export const emptyBooks = (): Books => ({
  reported: [],
  sessions: [],
  payouts: [],
  simulated: [],
  delivered: [],
  oddities: [],
});

/** What tells one incoming transfer from every other, on both sides. */
export const keyOf = (money: { accountNumber: string; amount: number; paidAtMs: number }) =>
  `${money.accountNumber} ${money.amount} ${money.paidAtMs}`;

export const keyOfEvent = ({ account_number = "", amount, paid_at = "" }: EventData) =>
  keyOf({ accountNumber: account_number, amount: koboOf(amount), paidAtMs: Date.parse(paid_at) });

export const koboOf = (naira: unknown) => Math.round(Number(naira) * 100);
export const nairaOf = (kobo: number) => kobo / 100;
