import type { DifferenceClass, listBankMovements, listOutboundTransfers, WireResult } from "@collect/contracts";
import { addDays } from "../src/domain/calendar.ts";
import type { Line, Part } from "../src/domain/statement.ts";

/**
 * A month of a bank and of our books, made from a seed: what accounts and payments report, the lines of the bank's statements, and
 * every difference that was planted between them.
 */
export type Month = {
  days: BankDay[];
  incoming: WireResult<typeof listBankMovements>["rows"];
  payouts: WireResult<typeof listOutboundTransfers>["rows"];
  /** What the ledger has on the bank by the end of each day. */
  ledger: Map<string, bigint>;
  planted: Planted[];
};
export type BankDay = { day: string; number: number; opening: bigint; closing: bigint; lines: BankLine[] };
export type BankLine = Pick<Line, "amount" | "references" | "sessionId" | "narration"> & { parts: Part[] };
export type Planted = { day: string; class: DifferenceClass; amount: bigint };

export const FIRST_DAY = "2026-10-01";
export const BANK = "729";
export const CHARGE_WORDS = ["MAINTENANCE FEE"];

type Making = Month & { random: Random; lines: Map<string, BankLine[]>; sequence: number };
type Random = (below: number) => number;

export function makeMonth({
  seed,
  collections,
  days = 30,
}: {
  seed: number;
  collections: number;
  days?: number;
}): Month {
  const made: Making = {
    ...{ days: [], incoming: [], payouts: [], ledger: new Map(), planted: [], lines: new Map() },
    ...{ random: mulberry(seed), sequence: seed * 1_000_000 },
  };
  const dayAt = (index: number) => addDays(FIRST_DAY, index);
  for (let n = 0; n < collections; n++) collect(made, dayAt(made.random(days)), dayAt(days - 1));
  for (let index = 0; index < days; index++) {
    // Of the same amount, one lost and one that the bank never booked: two differences, and not one transfer.
    for (const fault of ["lost", "unbooked"] as const)
      collect(made, dayAt(index), dayAt(days - 1), { fault, isUsual: true });
    settle(made, dayAt(index));
    payOut(made, dayAt(index), Math.ceil(collections / days / 40));
    charge(made, dayAt(index));
  }
  return finish(made, days);
}

/** Of each, one in so many; nothing is wrong with the others. */
const FAULT_EVERY = 150;
const FAULTS = ["lost", "unbooked", "twice", "wrong", "reversed", "late"] as const;

/** Many pay the usual amount, and of those the bank does not name the session. */
type Kind = { fault: (typeof FAULTS)[number] | undefined; isUsual: boolean };

function collect(made: Making, day: string, last: string, given?: Kind): void {
  const { random } = made;
  const { fault, isUsual } = given ?? { fault: FAULTS[random(FAULT_EVERY)], isUsual: random(4) === 0 };
  const gross = isUsual ? 500_000n : BigInt(10_000 + random(50_000_000));
  const fee = !isUsual && random(2) === 0 ? gross / 500n : 0n;
  const ids = idsOf(made, day);
  const report = reportOf(made, { day, gross, fee, ...ids });
  const amount = gross - fee - report.vat;
  const isNamed = !isUsual && random(10) < 8;
  const line: BankLine = {
    ...{
      amount,
      narration: `NIP TRANSFER FROM PAYER ${made.sequence} ${isNamed ? ids.sessionId : ""}`.trim(),
      parts: [],
    },
    ...{ sessionId: isNamed ? ids.sessionId : null, references: isNamed && random(2) === 0 ? [] : [ids.transferId] },
  };
  const plant = (kind: DifferenceClass, by: bigint, on = day) =>
    made.planted.push({ day: on, class: kind, amount: by });
  if (isUsual) report.row.session_id = null;
  if (fault !== "lost") made.incoming.push(report.row);
  if (fault === "lost") plant("bank_only", amount);
  if (fault === "unbooked") {
    // On the last day it may still be on its way.
    plant(day < last ? "books_only" : "timing", -amount);
    return;
  }
  if (fault === "late" && day < last) {
    plant("timing", -amount);
    plant("timing", amount, addDays(day, 1));
    put(made, addDays(day, 1), line);
    return;
  }
  put(made, day, fault === "wrong" ? { ...line, amount: amount - 1_000n } : line);
  if (fault === "wrong") plant("different_amount", -1_000n);
  if (fault === "twice") put(made, day, line);
  if (fault === "twice") plant("bank_only", amount);
  if (fault === "reversed") put(made, day, { ...line, amount: -amount, narration: `REVERSAL ${line.narration}` });
  if (fault === "reversed") plant("bank_only", -amount);
}

/** Some collections of the day, which the bank books as one sum. */
function settle(made: Making, day: string): void {
  const settlementId = `STL${day.replaceAll("-", "")}`;
  let sum = 0n;
  for (let n = 0; n < 5; n++) {
    const gross = BigInt(10_000 + made.random(9_000_000));
    made.incoming.push(reportOf(made, { day, gross, fee: 100n, ...idsOf(made, day), settlementId }).row);
    sum += gross - 100n;
  }
  put(made, day, { amount: sum, references: [settlementId], sessionId: null, narration: "POS SETTLEMENT", parts: [] });
}

/** Payouts leave one by one, and on every second day as one batched line. */
function payOut(made: Making, day: string, count: number): void {
  const parts = Array.from({ length: count + 1 }, (): Part => {
    const id = `trf_${(++made.sequence).toString().padStart(16, "0")}`;
    const amount = BigInt(100_000 + made.random(5_000_000));
    made.payouts.push(payoutOf(id, amount, day));
    return { amount: -amount, references: [id], sessionId: null, narration: `TRANSFER ${id} TO PAYEE` };
  });
  const isBatched = Number(day.slice(-2)) % 2 === 0;
  if (isBatched) {
    const amount = parts.reduce((sum, part) => sum + part.amount, 0n);
    put(made, day, { amount, references: [`BATCH${day}`], sessionId: null, narration: "BULK PAYMENT", parts });
  } else for (const part of parts) put(made, day, { ...part, parts: [] });
}

function charge(made: Making, day: string): void {
  put(made, day, { amount: -5_375n, references: [], sessionId: null, narration: "ACCOUNT MAINTENANCE FEE", parts: [] });
  made.planted.push({ day, class: "charge", amount: -5_375n });
}

function put(made: Making, day: string, line: BankLine): void {
  const lines = made.lines.get(day) ?? [];
  lines.push(line);
  made.lines.set(day, lines);
}

function finish({ lines, ...made }: Making, days: number): Month {
  let [balance, ledger] = [1_000_000_000n, 0n];
  for (let index = 0; index < days; index++) {
    const day = addDays(FIRST_DAY, index);
    const opening = balance;
    for (const { amount } of lines.get(day) ?? []) balance += amount;
    made.days.push({ day, number: index + 1, opening, closing: balance, lines: lines.get(day) ?? [] });
    for (const row of made.incoming)
      if (row.received_at.startsWith(day))
        ledger += BigInt(row.amount) - BigInt(row.bank_fee ?? 0) - BigInt(row.bank_vat ?? 0);
    for (const { completed_at, amount } of made.payouts) if (completed_at?.startsWith(day)) ledger -= BigInt(amount);
    made.ledger.set(day, ledger);
  }
  const { incoming, payouts, planted } = made;
  return { days: made.days, incoming, payouts, ledger: made.ledger, planted };
}

function idsOf(made: Making, day: string) {
  const number = (++made.sequence).toString().padStart(12, "0");
  const time = `${day.slice(2).replaceAll("-", "")}${String(made.random(86_400)).padStart(6, "0")}`;
  return { number, transferId: `BNK${number}`, sessionId: `000014000013${time}${number.slice(-6)}` };
}

type Given = ReturnType<typeof idsOf> & { day: string; gross: bigint; fee: bigint; settlementId?: string };

/** Half of them say what the bank kept; VAT is 7.5 % of its fee. */
function reportOf(made: Making, { day, gross, fee, number, transferId, sessionId, settlementId }: Given) {
  const vat = settlementId === undefined ? (fee * 75n) / 1_000n : 0n;
  const at = (hour: number) => `${day}T${String(hour).padStart(2, "0")}:00:00.000+00:00`;
  const hour = made.random(22);
  const row = {
    ...{ intake_id: `int_${number}`, bank: BANK, bank_transfer_id: transferId, amount: gross.toString() },
    ...(fee > 0n && { bank_fee: fee.toString(), bank_vat: vat.toString() }),
    ...{ session_id: sessionId as string | null, paid_at: at(hour), received_at: at(hour) },
    ...(settlementId !== undefined && { settlement_id: settlementId }),
  };
  return { row, vat };
}

function payoutOf(transfer_id: string, amount: bigint, day: string): Month["payouts"][number] {
  const at = `${day}T12:00:00.000+00:00`;
  const payee = { bank_code: "058", bank_name: "Bank", account_number: "0123456789", account_name: "PAYEE" };
  const order = { ...payee, merchant_reference: transfer_id, narration: null, created_at: at };
  const ends = { outcome: "success" as const, completed_at: at, reversed_at: null };
  return { transfer_id, merchant: { id: "mer_1", mode: "live" }, amount: amount.toString(), order, ...ends };
}

/** Mulberry32: the same numbers from the same seed. */
export function mulberry(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}
