import { randomInt } from "node:crypto";
import { nuban } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { shareOf } from "@collect/money";
import { z } from "zod";
import type { Journal } from "../journal.ts";
import type { Statements } from "../statements.ts";
import { writeTime } from "./times.ts";

const PROVIDUS = { code: "101", nip: "000023" };

/** Kobo: as a number, because a journal is JSON. */
const Amount = z.int();

export const Account = z.object({ accountNumber: z.string(), accountName: z.string(), isBlacklisted: z.boolean() });
export type Account = z.infer<typeof Account>;

/** Money that came for an account. It reaches the settlement account, without the charges, once it was notified. */
export const Credit = z.object({
  settlementId: z.string(),
  sessionId: z.string(),
  accountNumber: z.string(),
  ...{ amount: Amount, fee: Amount, vat: Amount },
  currency: z.string(),
  payer: z.object({ name: z.string(), accountNumber: z.string(), bankName: z.string() }),
  narration: z.string(),
  paidAt: z.string(),
  state: z.enum(["pending", "settled", "rejected"]),
  /** Whether the bank's answers name no charges before it has settled the transfer. */
  settlesLate: z.boolean().default(false),
  /** What the bank took back from the settlement account. It reports nothing of that. */
  takenBack: Amount.default(0),
});
export type Credit = z.infer<typeof Credit>;

/** `code` is the bank's answer to the question what became of it: only with 00 has the money left. */
export const Payout = z.object({
  reference: z.string(),
  amount: Amount,
  bank: z.string(),
  accountNumber: z.string(),
  narration: z.string(),
  code: z.string(),
  sessionId: z.string(),
  orderedAt: z.string(),
});
export type Payout = z.infer<typeof Payout>;

type Deps = { statements: Statements; accounts: Journal<Account>; credits: Journal<Credit>; payouts: Journal<Payout> };
export type Books = ReturnType<typeof createBooks>;

/** What the settlement account held before the first transfer. */
export const OPENING = 10_000_000_000;
const LISTED_MAX = 1_000;

/** The books of the bank: of several entries under one key in a journal the last one counts. */
export function createBooks({ statements, ...journals }: Deps) {
  const accounts = keyed(journals.accounts, ({ accountNumber }) => accountNumber);
  const credits = keyed(
    journals.credits,
    ({ settlementId }) => settlementId,
    (credit) => bookCredit(statements, credit),
  );
  const payouts = keyed(
    journals.payouts,
    ({ reference }) => reference,
    (payout) =>
      statements.bookPayout({ ...payout, hasLeft: payout.code === "00", sessionId: payout.sessionId || null }),
  );

  /** The accounts that the bank reserves begin with 99. */
  function freeNumber(): string {
    const number = nuban({ bankCode: PROVIDUS.code, serial: `99${digits(7)}` });
    return accounts.get(number) ? freeNumber() : number;
  }

  return {
    accounts,
    credits,
    payouts,
    openAccount: (name: string) =>
      accounts.put({ accountNumber: freeNumber(), accountName: `MERCHANT(${name})`, isBlacklisted: false }),
    /** With its own session, as a bank's line of a reversal has it, and a number that no report names. Without an amount all that reached the account. */
    takeBack(credit: Credit, amount = credit.amount - credit.fee - credit.vat): Credit {
      if (credit.state !== "settled" || credit.takenBack + amount > credit.amount)
        throw new Problem("conflict", "The bank has not settled it, or not as much of it.");
      const at = new Date();
      const takenBack = credit.takenBack + amount;
      statements.book({
        ...{ key: `taken:${credit.settlementId}:${takenBack}`, amount: -amount, at: new Date(credit.paidAt) },
        ...{ reference: settlementIdAt(at), sessionId: credit.sessionId, narration: `REVERSAL ${credit.payer.name}` },
      });
      return credits.put({ ...credit, takenBack });
    },
    creditOf: (sessionId: string) => credits.all().find((credit) => credit.sessionId === sessionId),
    /** Opening + settled − taken back − paid out = balance, in kobo. */
    balance() {
      const settled = credits.all().filter(({ state }) => state === "settled");
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      const net = sum(settled.map(({ amount, fee, vat }) => amount - fee - vat));
      const paidOut = sum(payouts.all().flatMap(({ code, amount }) => (code === "00" ? [amount] : [])));
      const takenBack = sum(settled.map((credit) => credit.takenBack));
      const [fees, vat] = [sum(settled.map(({ fee }) => fee)), sum(settled.map((credit) => credit.vat))];
      return {
        ...{ opening: OPENING, settled: net, fees, vat, takenBack, paidOut },
        balance: OPENING + net - takenBack - paidOut,
      };
    },
  };
}

function bookCredit({ book }: Statements, credit: Credit): void {
  if (credit.state !== "settled" || credit.currency !== "NGN") return;
  book({
    key: `credit:${credit.settlementId}`,
    amount: credit.amount - credit.fee - credit.vat,
    ...{ reference: credit.settlementId, sessionId: credit.sessionId, at: new Date(credit.paidAt) },
    narration: `${credit.payer.name} ${credit.narration}`.trim(),
  });
}

/** Half a percent, at most ₦200, and the VAT on that. Never more than the amount. */
export function chargesOn(amount: number): { fee: number; vat: number } {
  const fee = [shareOf(BigInt(amount), 50), 20_000n].reduce((one, other) => (one < other ? one : other));
  return { fee: Number(fee), vat: Number(shareOf(fee, 750)) };
}

/** The institution that sends, the time in Lagos, and digits that no other transfer has: 30 in all. */
export function sessionIdAt(instant: Date, institution = PROVIDUS.nip): string {
  return `${institution}${writeTime(instant, "plain").replace(/\D/g, "").slice(2)}${digits(12)}`;
}

export const settlementIdAt = (instant: Date) => `${writeTime(instant, "plain").replace(/\D/g, "")}${digits(10)}`;

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join("");

/** Entries by key, the newest last, as a journal keeps them. */
function keyed<Entry>(journal: Journal<Entry>, keyOf: (entry: Entry) => string, onPut?: (entry: Entry) => void) {
  const byKey = new Map(journal.entries.map((entry) => [keyOf(entry), entry]));
  return {
    get: (key: string) => byKey.get(key),
    all: () => [...byKey.values()],
    /** The last thousand, newest first. */
    newest: () => [...byKey.values()].slice(-LISTED_MAX).reverse(),
    put(entry: Entry): Entry {
      journal.append(entry);
      byKey.set(keyOf(entry), entry);
      onPut?.(entry);
      return entry;
    },
  };
}
