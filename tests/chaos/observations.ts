import type { Mode } from "@collect/contracts";

/** Observations from outside, independent of the product's own data. Amounts in kobo, times as `Date.now()`. */

/** A transfer that the bank reports until it is answered with 200. */
export type Reported = {
  id: string;
  merchant: number;
  accountNumber: string;
  amount: number;
  paidAtMs: number;
  firstSentAt: number;
  acknowledgedAt: number | undefined;
  session: string | undefined;
};

export type SessionPlan = "exact" | "under" | "over" | "late" | "never";
export type CreatedSession = {
  reference: string;
  merchant: number;
  plan: SessionPlan;
  amount: number;
  expiresAtMs: number;
  paidBy: Reported | undefined;
};

/** An outbound transfer, as the merchant ordered it. `refused`: answered with 4xx, so it must never reach the bank. */
export type OrderedPayout = {
  merchant: number;
  merchantReference: string;
  amount: number;
  reference: string | undefined;
  refused: boolean;
};

/** A simulated payment; `reference` is set once it was answered with 200. */
export type SimulatedPayment = { merchant: number; amount: number; reference: string | undefined };

/** One delivery as a merchant's server received it, at the time `at`. */
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

export type Observations = {
  reported: Reported[];
  sessions: CreatedSession[];
  payouts: OrderedPayout[];
  simulated: SimulatedPayment[];
  delivered: Delivered[];
  /** Errors along the way: an invalid signature, a response that retries cannot explain. */
  anomalies: string[];
};

export const noObservations = (): Observations => ({
  reported: [],
  sessions: [],
  payouts: [],
  simulated: [],
  delivered: [],
  anomalies: [],
});

/** Identifies an incoming transfer, both in the bank's report and in the event. */
export const keyOf = (money: { accountNumber: string; amount: number; paidAtMs: number }) =>
  `${money.accountNumber} ${money.amount} ${money.paidAtMs}`;

export const keyOfEvent = ({ account_number = "", amount, paid_at = "" }: EventData) =>
  keyOf({ accountNumber: account_number, amount: koboOf(amount), paidAtMs: Date.parse(paid_at) });

export const koboOf = (naira: unknown) => Math.round(Number(naira) * 100);
export const nairaOf = (kobo: number) => kobo / 100;
