import { Problem, parseFields } from "@collect/contracts";
import { Router } from "express";
import { z } from "zod";
import type { Journal } from "./journal.ts";
import { isOver, lagosDay, mt940, yesterday } from "./mt940.ts";

const Day = z.iso.date();

/** A line of the account. The amount is in kobo, signed, and net of what the bank kept: what reaches the account is positive. */
const Entry = z.object({
  key: z.string(),
  bookedOn: Day,
  paidOn: Day,
  amount: z.int(),
  reference: z.string(),
  sessionId: z.string().nullable(),
  narration: z.string(),
});
export type Entry = z.infer<typeof Entry>;

/** A line, or the last day of which a statement was given. */
export const Booked = z.union([Entry, z.object({ givenTo: Day })]);
export type Booked = z.infer<typeof Booked>;

export type Booking = Pick<Entry, "key" | "amount" | "reference" | "sessionId" | "narration"> & { at: Date };
export type Payout = Omit<Booking, "key" | "at"> & { hasLeft: boolean };

export type Statements = ReturnType<typeof createStatements>;

type Account = { number: string; openingKobo: number };

/** The statements of our account at a simulated bank, one of each day, which continue each other without a gap. */
export function createStatements({ account, journal }: { account: Account; journal: Journal<Booked> }) {
  const entries = new Map<string, Entry>();
  let givenTo = "";
  for (const booked of journal.entries) keep(booked);

  function keep(booked: Booked): void {
    if ("givenTo" in booked) givenTo = booked.givenTo;
    else entries.set(booked.key, booked);
  }

  function append(booked: Booked): void {
    journal.append(booked);
    keep(booked);
  }

  /** A key is booked once. A statement that was given stays as it is: what is paid on its days is booked on the next one. */
  function book({ at, ...booking }: Booking): void {
    if (entries.has(booking.key) || booking.amount === 0) return;
    const paidOn = lagosDay(at);
    append({ ...booking, paidOn, bookedOn: paidOn > givenTo ? paidOn : nextDay(givenTo) });
  }

  /** Of one day, as a file in MT940. Refused while the day is not over. */
  function give(day: string): string {
    if (!isOver(day, new Date())) throw new Problem("conflict", "The day is not over in Lagos.");
    if (day > givenTo) append({ givenTo: day });
    const sumOf = (lines: Entry[]) => lines.reduce((sum, { amount }) => sum + amount, 0);
    const all = [...entries.values()];
    const lines = all.filter(({ bookedOn }) => bookedOn === day);
    const opening = account.openingKobo + sumOf(all.filter(({ bookedOn }) => bookedOn < day));
    return mt940({ account: account.number, day, opening, closing: opening + sumOf(lines), lines });
  }

  return {
    book,
    /** A payout leaves the account once; if it turns out that it has not, it comes back. */
    bookPayout({ hasLeft, amount, ...payout }: Payout): void {
      const at = new Date();
      const key = `payout:${payout.reference}`;
      if (hasLeft) book({ ...payout, key, amount: -amount, at });
      else if (entries.has(key)) book({ ...payout, key: `${key}:back`, amount, at });
    },
    give,
    /** `GET /statement?day=2026-11-27`, yesterday's by default. */
    routes: Router().get("/statement", ({ query }, response) => {
      const { day = yesterday(new Date()) } = parseFields(z.object({ day: Day.optional() }), query);
      response.attachment(`${account.number}-${day}.sta`).type("text/plain").send(give(day));
    }),
  };
}

const DAY_MS = 86_400_000;
const nextDay = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
