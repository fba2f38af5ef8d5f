import { randomInt } from "node:crypto";
import { AccountNumber } from "@collect/contracts";
import { naira, parseNaira } from "@collect/money";
import { z } from "zod";
import type { Journal } from "../journal.ts";
import { NairaAmount } from "../parse.ts";
import type { Booking, Statements } from "../statements.ts";
import { Refusal } from "./envelope.ts";
import type { Reservations } from "./reservations.ts";
import { lagosTime } from "./times.ts";

/** 1.5 %, at most ₦2,000: what Monnify keeps of a payment into a reserved account. */
const FEE_BASIS_POINTS = 150n;
const FEE_MAX_KOBO = 200_000n;

export const PaymentOrder = z.object({
  account_number: AccountNumber,
  amount: NairaAmount,
  payer_name: z.string().min(1).max(200).default("NGOZI EZE"),
  payer_account_number: AccountNumber.default("0123456789"),
  payer_bank_code: z.string().max(10).default("058"),
  paid_at: z.iso.datetime({ offset: true }).optional(),
  /** Of an earlier payment, to report that one again, or of a new one. */
  transaction_reference: z.string().optional(),
});
export type PaymentOrder = z.output<typeof PaymentOrder>;

export const Payment = z.object({
  reference: z.string(),
  account_number: z.string(),
  bank_code: z.string(),
  bank_name: z.string(),
  reservation: z.string(),
  account_name: z.string(),
  amount: z.number(),
  settled: z.string(),
  payer: z.object({ name: z.string(), account_number: z.string(), bank_code: z.string(), session_id: z.string() }),
  paid_at: z.string(),
  status: z.string(),
  /** The first settlement that it was reported in. */
  settlement: z.string().optional(),
});
export type Payment = z.output<typeof Payment>;

export type Payments = {
  /** The payment with the reference, or a new one. */
  pay(order: PaymentOrder): Payment;
  get(reference: string): Payment;
  /** Settles these payments, or all that are in no settlement, in one sum: the only line of them in the statement of the account. */
  settle(order: SettlementOrder): Settlement;
};

export const SettlementOrder = z.object({
  /** Without them, all payments that are in no settlement. */
  transaction_references: z.array(z.string()).min(1).max(10_000).optional(),
  /** Of an earlier settlement, to report it again, or of a new one. */
  settlement_reference: z.string().optional(),
  settled_at: z.iso.datetime({ offset: true }).optional(),
});
export type SettlementOrder = z.output<typeof SettlementOrder>;
export type Settlement = { reference: string; payments: Payment[]; settledAt: Date };
type Deps = { reservations: Reservations; statements: Statements; journal: Journal<Payment> };

export function createPayments({ reservations, statements, journal }: Deps): Payments {
  const byReference = new Map(journal.entries.map((payment) => [payment.reference, payment]));
  function get(reference: string): Payment {
    const payment = byReference.get(reference);
    if (!payment) throw new Refusal(404, "Could not find transaction with the specified transaction reference");
    return payment;
  }
  return {
    /** Also to an account that is not reserved: its reservation is then unknown. */
    pay(order) {
      const known = byReference.get(order.transaction_reference ?? "");
      if (known) return known;
      const reservation = reservations.of(order.account_number);
      const account = reservation?.accounts.find(({ accountNumber }) => accountNumber === order.account_number);
      const paidAt = new Date(order.paid_at ?? Date.now());
      const payment: Payment = {
        reference: order.transaction_reference ?? referenceAt(paidAt, byReference.size),
        account_number: order.account_number,
        bank_code: account?.bankCode ?? "50515",
        bank_name: account?.bankName ?? "Moniepoint Microfinance Bank",
        reservation: reservation?.accountReference ?? "unknown",
        account_name: reservation?.accountName ?? "Unknown",
        amount: order.amount,
        settled: settledOf(order.amount),
        payer: {
          name: order.payer_name,
          account_number: order.payer_account_number,
          bank_code: order.payer_bank_code,
          session_id: sessionAt(paidAt),
        },
        paid_at: paidAt.toISOString(),
        status: "PAID",
      };
      journal.append(payment);
      byReference.set(payment.reference, payment);
      return payment;
    },
    get,
    settle({ transaction_references: named, settlement_reference: reference = randomReference(), settled_at }) {
      const of = (settlement: string | undefined) =>
        [...byReference.values()].filter((each) => each.settlement === settlement);
      const known = of(reference);
      const payments = named?.map(get) ?? (known.length > 0 ? known : of(undefined));
      if (payments.length === 0) throw new Refusal(404, "There is nothing to settle");
      const settledAt = new Date(settled_at ?? Date.now());
      // One that is in another settlement has reached the account with that.
      const unsettled = payments.filter(({ settlement }) => settlement === undefined);
      for (const payment of unsettled) {
        payment.settlement = reference;
        journal.append(payment);
      }
      statements.book(lineOf({ reference, settled: unsettled, isFirst: known.length === 0, at: settledAt }));
      return { reference, payments, settledAt };
    },
  };
}

/** What of these payments reaches the account, in kobo. */
export const netOf = (payments: Payment[]): bigint =>
  payments.reduce((total, { settled }) => total + (parseNaira(settled) ?? 0n), 0n);

type Settled = { reference: string; settled: Payment[]; isFirst: boolean; at: Date };

/** What is added to a settlement later is a sum of its own. */
const lineOf = ({ reference, settled, isFirst, at }: Settled): Booking => ({
  key: `settlement:${reference}${isFirst ? "" : `:${settled[0]?.reference}`}`,
  amount: Number(netOf(settled)),
  ...{ reference, sessionId: null, at, narration: "MONNIFY SETTLEMENT" },
});

function settledOf(amount: number): string {
  const kobo = parseNaira(amount) ?? 0n;
  const share = (kobo * FEE_BASIS_POINTS) / 10_000n;
  return naira(kobo - (share < FEE_MAX_KOBO ? share : FEE_MAX_KOBO)).toFixed(2);
}

/** `LB8HG1PNZT4ATJGZXQBY`. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
const randomReference = () => Array.from({ length: 20 }, () => LETTERS[randomInt(LETTERS.length)]).join("");

const compact = (date: Date) => lagosTime(date).replace(/\D/g, "").slice(0, 14);
const digits = (count: number, number: number) => String(number).padStart(count, "0");
const referenceAt = (date: Date, serial: number) =>
  `MNFY|${digits(2, randomInt(100))}|${compact(date)}|${digits(6, serial)}`;
/** 30 digits: from GTBank to Moniepoint. */
const sessionAt = (date: Date) => `000013090405${compact(date).slice(2)}${digits(6, randomInt(1_000_000))}`;
