import type { listBankMovements, listOutboundTransfers, WireResult } from "@collect/contracts";
import { addDays } from "../src/domain/calendar.ts";
import type { Part } from "../src/domain/statement.ts";
import type { BankDay, BankLine } from "./files.ts";
import { bookedAs, bothSides, FAULTS, type Fault, missing, type Planted, WRONG } from "./month-faults.ts";

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

export const FIRST_DAY = "2026-10-01";
export const BANK = "729";
export const CHARGE_WORDS = ["MAINTENANCE FEE"];
/** In kobo: what stood in the account before its first statement, and what the bank charges a day. */
export const [OPENING, CHARGE] = [1_000_000_000n, 5_375n];

type Making = Month & {
  random: Random;
  lines: Map<string, BankLine[]>;
  sequence: number;
  /** The amounts that were given, where each is given once. */
  amounts: Set<bigint> | undefined;
};
type Random = (below: number) => number;

/**
 * With references of its own the bank names nothing that we know, and no settlements. Then a line is known by its amount, if that is the only one:
 * of equal amounts, and of a line that was booked twice or with a wrong amount, both sides are differences.
 */
export function makeMonth({
  seed,
  collections,
  days = 30,
  hasOwnReferences = false,
}: {
  seed: number;
  collections: number;
  days?: number;
  hasOwnReferences?: boolean;
}): Month {
  const made: Making = {
    ...{ days: [], incoming: [], payouts: [], ledger: new Map(), planted: [], lines: new Map() },
    ...{ random: mulberry(seed), sequence: seed * 1_000_000, amounts: hasOwnReferences ? new Set() : undefined },
  };
  const dayAt = (index: number) => addDays(FIRST_DAY, index);
  for (let n = 0; n < collections; n++) collect(made, dayAt(made.random(days)), dayAt(days - 1));
  for (let index = 0; index < days; index++) {
    // Of the same amount, one lost and one that the bank never booked: two differences, and not one transfer.
    for (const fault of ["lost", "unbooked"] as const)
      collect(made, dayAt(index), dayAt(days - 1), { fault, isUsual: true });
    if (!hasOwnReferences) settle(made, dayAt(index));
    payOut(made, dayAt(index), Math.ceil(collections / days / 40));
    charge(made, dayAt(index));
  }
  return finish(made, days);
}

/** Of each, one in so many; nothing is wrong with the others. */
const FAULT_EVERY = 150;

/** Many pay the usual amount, and of those the bank does not name the session. */
type Kind = { fault: Fault | undefined; isUsual: boolean };

function collect(made: Making, day: string, last: string, given?: Kind): void {
  const { random } = made;
  const { fault, isUsual } = given ?? { fault: FAULTS[random(FAULT_EVERY)], isUsual: random(4) === 0 };
  const { gross, fee } = isUsual ? { gross: 500_000n, fee: 0n } : drawAmount(made);
  const ids = idsOf(made, day);
  const report = reportOf(made, { day, gross, fee, ...ids });
  const amount = gross - fee - report.vat;
  const isNamed = !isUsual && random(10) < 8 && !made.amounts;
  const line: BankLine = {
    ...{
      amount,
      narration: `NIP TRANSFER FROM PAYER ${made.sequence} ${isNamed ? ids.sessionId : ""}`.trim(),
      parts: [],
    },
    sessionId: isNamed ? ids.sessionId : null,
    references: isNamed && random(2) === 0 ? [] : [made.amounts ? ownReference(made) : ids.transferId],
  };
  if (isUsual) report.row.session_id = null;
  if (fault !== "lost") made.incoming.push(report.row);
  const reversal = takeBack(made, { gross, line, report });
  const isReversed = fault === "taken back" || fault === "kept";
  if (isReversed) made.incoming.push(reversal.row);
  const { booked, planted } = bookedAs(fault, { day, last, line, back: reversal.line });
  for (const each of booked) put(made, each.day, each.line);
  const isKnown = !made.amounts || !(isUsual || fault === "twice" || fault === "wrong");
  const ours = [...(fault === "lost" ? [] : [amount]), ...(isReversed ? [reversal.line.amount] : [])];
  const missed = ours.map((each) => missing({ day, last, amount: each }));
  made.planted.push(...(isKnown ? planted : bothSides(booked, missed)));
}

/** Of what was received: all of it with what the bank kept, or half. The bank names its own reversal, or the session of what it takes back. */
function takeBack(made: Making, { gross, line, report }: { gross: bigint; line: BankLine; report: Report }) {
  const id = `BNK${(++made.sequence).toString().padStart(12, "0")}`;
  const isWhole = made.amounts !== undefined || made.random(2) === 0;
  const amount = isWhole ? -line.amount : -line.amount / 2n;
  const kept = isWhole && "bank_fee" in report.row;
  const row = {
    ...report.row,
    ...{ intake_id: `int_${id}`, bank_transfer_id: id, amount: (isWhole ? -gross : amount).toString() },
    ...(kept
      ? { bank_fee: `-${report.row.bank_fee}`, bank_vat: `-${report.row.bank_vat}` }
      : { bank_fee: "0", bank_vat: "0" }),
  };
  const references = made.amounts ? [ownReference(made)] : [id];
  const narration = `REVERSAL ${line.narration}`;
  return { row, line: { ...line, amount, narration, references: line.sessionId ? [] : references } };
}

/** Where the bank names nothing no other one has it, nor what it is with a wrong amount. */
function drawAmount({ random, amounts }: Pick<Making, "random" | "amounts">): {
  gross: bigint;
  fee: bigint;
  net: bigint;
} {
  const gross = BigInt(10_000 + random(50_000_000));
  const fee = random(2) === 0 ? gross / 500n : 0n;
  const net = gross - fee - vatOn(fee);
  if (amounts?.has(net) || amounts?.has(net + WRONG)) return drawAmount({ random, amounts });
  amounts?.add(net).add(net + WRONG);
  return { gross, fee, net };
}

const ownReference = (made: Making) => `FT${++made.sequence}`;

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

/** One in so many is returned on its day with our knowledge, and as many without. */
const RETURNED_EVERY = 20;

/** Payouts leave one by one, and on every second day as one batched line; the bank returns each alone. */
function payOut(made: Making, day: string, count: number): void {
  const returned: Pick<BankLine, "amount" | "references" | "narration">[] = [];
  const parts = Array.from({ length: count + 1 }, (): Part => {
    const id = `trf_${(++made.sequence).toString().padStart(16, "0")}`;
    const amount = made.amounts ? drawAmount(made).net : BigInt(100_000 + made.random(5_000_000));
    const named = made.amounts ? ownReference(made) : id;
    const isReturned = made.random(RETURNED_EVERY) === 0;
    made.payouts.push(payoutOf(id, amount, day, isReturned));
    // The bank returns some that we do not know of.
    const isUnknown = !isReturned && made.random(RETURNED_EVERY) === 0;
    if (isUnknown) made.planted.push({ day, class: "bank_only", amount });
    if (isReturned || isUnknown) returned.push({ amount, references: [named], narration: `RETURN ${named}` });
    return { amount: -amount, references: [named], sessionId: null, narration: `TRANSFER ${named} TO PAYEE` };
  });
  const isBatched = Number(day.slice(-2)) % 2 === 0;
  if (isBatched) {
    const amount = parts.reduce((sum, part) => sum + part.amount, 0n);
    put(made, day, { amount, references: [`BATCH${day}`], sessionId: null, narration: "BULK PAYMENT", parts });
  } else for (const part of parts) put(made, day, { ...part, parts: [] });
  for (const line of returned) put(made, day, { ...line, sessionId: null, parts: [] });
}

function charge(made: Making, day: string): void {
  put(made, day, { amount: -CHARGE, references: [], sessionId: null, narration: "ACCOUNT MAINTENANCE FEE", parts: [] });
  made.planted.push({ day, class: "charge", amount: -CHARGE });
}

function put(made: Making, day: string, line: BankLine): void {
  const lines = made.lines.get(day) ?? [];
  lines.push(line);
  made.lines.set(day, lines);
}

function finish({ lines, ...made }: Making, days: number): Month {
  let [balance, ledger] = [OPENING, 0n];
  made.planted.push({ day: FIRST_DAY, class: "bank_only", amount: OPENING });
  for (let index = 0; index < days; index++) {
    const day = addDays(FIRST_DAY, index);
    const opening = balance;
    for (const { amount } of lines.get(day) ?? []) balance += amount;
    made.days.push({ day, number: index + 1, opening, closing: balance, lines: lines.get(day) ?? [] });
    for (const row of made.incoming)
      if (row.received_at.startsWith(day))
        ledger += BigInt(row.amount) - BigInt(row.bank_fee ?? 0) - BigInt(row.bank_vat ?? 0);
    for (const { completed_at, reversed_at, amount } of made.payouts)
      if (completed_at?.startsWith(day) && !reversed_at) ledger -= BigInt(amount);
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

type Report = ReturnType<typeof reportOf>;
type Given = ReturnType<typeof idsOf> & { day: string; gross: bigint; fee: bigint; settlementId?: string };

/** It is 7.5 % of the bank's fee. */
const vatOn = (fee: bigint) => (fee * 75n) / 1_000n;

/** Half of them say what the bank kept. */
function reportOf(made: Making, { day, gross, fee, number, transferId, sessionId, settlementId }: Given) {
  const vat = settlementId === undefined ? vatOn(fee) : 0n;
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

function payoutOf(transfer_id: string, amount: bigint, day: string, isReturned: boolean): Month["payouts"][number] {
  const at = `${day}T12:00:00.000+00:00`;
  const payee = { bank_code: "058", bank_name: "Bank", account_number: "0123456789", account_name: "PAYEE" };
  const order = { ...payee, merchant_reference: transfer_id, narration: null, created_at: at };
  const ends = isReturned
    ? { outcome: "reversed" as const, completed_at: at, reversed_at: `${day}T18:00:00.000+00:00` }
    : { outcome: "success" as const, completed_at: at, reversed_at: null };
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
