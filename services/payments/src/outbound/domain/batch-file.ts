import { hasCheckDigits, isNuban } from "@collect/bank";
import {
  AccountNumber,
  type FieldError,
  type Mode,
  Narration,
  NewMerchantReference,
  Problem,
} from "@collect/contracts";
import { type Kobo, PAYMENT_MAX_KOBO, parseNaira } from "@collect/money";
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { banksOf } from "./banks.ts";

export const BATCH_LINES_MAX = 1_000;
/** With blank lines and line breaks in quotes. What has more is not parsed: that takes time in which nothing else runs. */
const BREAKS_MAX = 2 * BATCH_LINES_MAX;
/** How many columns that are not known an error names. */
const NAMED_MAX = 5;

/** A line of a file of transfers as it was read; what is wrong with it is found without a question to anyone. */
export type FileLine = {
  /** In the file, whose first line has the names of the columns. */
  line: number;
  /** Null if it is not readable. */
  amount: Kobo | null;
  bankCode: string;
  accountNumber: string;
  narration: string | null;
  /** The merchant's own id of the transfer; null if the file has none. */
  ownReference: string | null;
  faults: FieldError[];
};

const REQUIRED = ["amount", "bank_code", "account_number"];
const COLUMNS = [...REQUIRED, "reference", "narration"];

/** The lines of a CSV file. A file that is not such a list is refused as a whole; a line with faults is returned with all of them. */
export function readBatchFile(content: string, mode: Mode): FileLine[] {
  const breaks = content.match(/\r\n?|\n/g)?.length ?? 0;
  if (breaks > BREAKS_MAX) throw tooManyLines(breaks + 1);
  const [header, ...rows] = recordsIn(content);
  const names = namesIn(header?.record ?? []);
  if (rows.length === 0) throw unreadable("empty", "The file has no lines below the names of its columns.");
  if (rows.length > BATCH_LINES_MAX) throw tooManyLines(rows.length);
  const lines = rows.map(({ record, info }) => lineOf(mode, names, record, info.lines));
  return lines.map((line) => ({ ...line, faults: [...line.faults, ...repeatsIn(lines, line)] }));
}

const Records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }));

function recordsIn(content: string): z.output<typeof Records> {
  const options = { bom: true, trim: true, info: true, relax_column_count: true, skip_records_with_empty_values: true };
  try {
    return Records.parse(parse(content, options));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable("not_csv", "This file is not CSV: a quoted value is not closed, or has text around its quotes.");
  }
}

/** A column that is not known may be a known one, misspelt: it is not ignored. */
function namesIn(header: string[]): string[] {
  const names = header.map((name) => name.toLowerCase().replace(/[ -]+/g, "_"));
  const missing = REQUIRED.filter((name) => !names.includes(name));
  const unknown = names.filter((name, place) => !COLUMNS.includes(name) || names.indexOf(name) !== place);
  if (missing.length > 0)
    throw unreadable("columns", `The first line must name the columns. These are missing: ${missing.join(", ")}.`);
  if (unknown.length > 0)
    throw unreadable(
      "columns",
      `The first line has columns that are not known, or twice: ${unknown.slice(0, NAMED_MAX).map(quoted).join(", ")}. Use ${COLUMNS.join(", ")}.`,
    );
  return names;
}

function lineOf(mode: Mode, names: string[], record: string[], line: number): FileLine {
  const cell = (name: string) => record[names.indexOf(name)] ?? "";
  const [bankCode, accountNumber] = [cell("bank_code"), cell("account_number")];
  const [narration, ownReference] = [cell("narration") || null, cell("reference") || null];
  const amount = parseNaira(cell("amount")) ?? null;
  const faults =
    record.length === names.length
      ? [
          ...ofAmount(cell("amount"), amount),
          ...ofAccount(mode, bankCode, accountNumber),
          ...ofText("narration", Narration, narration),
          ...ofText("reference", NewMerchantReference, ownReference),
        ]
      : [fault("line", "columns", `This line has ${record.length} values instead of ${names.length}.`)];
  return {
    ...{ line, faults },
    amount: amount || null,
    bankCode: storable(bankCode),
    accountNumber: storable(accountNumber),
    narration: narration && storable(narration),
    ownReference: ownReference && storable(ownReference),
  };
}

function ofAmount(text: string, amount: Kobo | null): FieldError[] {
  if (text === "") return [fault("amount", "missing", "The amount is missing.")];
  if (amount === null)
    return [
      fault("amount", "invalid", `${quoted(text)} is not an amount: naira with at most two decimals, no commas.`),
    ];
  if (amount === 0n) return [fault("amount", "invalid", "The amount must be greater than 0.")];
  if (amount >= PAYMENT_MAX_KOBO) return [fault("amount", "too_large", "The amount is too large for one transfer.")];
  return [];
}

function ofAccount(mode: Mode, bankCode: string, accountNumber: string): FieldError[] {
  const bank = banksOf(mode).find(({ code }) => code === bankCode);
  const isNumber = AccountNumber.safeParse(accountNumber).success;
  const faults = bank ? [] : [fault("bank_code", "unknown", `No bank has the code ${quoted(bankCode)}. ${ZEROS}`)];
  if (!isNumber)
    faults.push(
      fault("account_number", "invalid", `${quoted(accountNumber)} is not an account number of 10 digits. ${ZEROS}`),
    );
  else if (bank && hasCheckDigits(bank) && !isNuban(bank.code, accountNumber))
    faults.push(
      fault(
        "account_number",
        "check_digit",
        `${bank.name} has no such account number: a digit, or the bank, is wrong.`,
      ),
    );
  return faults;
}
const ZEROS = "Spreadsheets remove zeros at the beginning: format the column as text.";

function ofText(param: string, schema: z.ZodType, text: string | null): FieldError[] {
  const issue = text === null ? undefined : schema.safeParse(text).error?.issues[0];
  return issue ? [fault(param, "invalid", `The ${param} ${issue.message}.`)] : [];
}

/** A reference is used once. Without one, what a line pays is what tells it from another. */
function repeatsIn(lines: FileLine[], { line, ownReference, ...terms }: FileLine): FieldError[] {
  const others = (isSame: (other: FileLine) => boolean) => lines.find((other) => other.line !== line && isSame(other));
  if (ownReference !== null) {
    const other = others((candidate) => candidate.ownReference === ownReference);
    return other ? [fault("reference", "repeated", `Line ${other.line} has the same reference.`)] : [];
  }
  if (terms.amount === null) return [];
  const other = others(
    ({ amount, bankCode, accountNumber }) =>
      amount === terms.amount && bankCode === terms.bankCode && accountNumber === terms.accountNumber,
  );
  const message = `Line ${other?.line} pays the same amount to the same account. If both are meant, give each a reference.`;
  return other ? [fault("line", "repeated", message)] : [];
}

const fault = (param: string, code: string, message: string): FieldError => ({ param, code, message });

const unreadable = (code: string, message: string) =>
  new Problem("validation_failed", `${message} Nothing was sent.`, { errors: [{ param: "content", code, message }] });

const tooManyLines = (count: number) =>
  unreadable("too_many_lines", `The file has ${count} lines. Send at most ${BATCH_LINES_MAX} at a time.`);

/** Changes only text that has a fault: it is shown, and never ordered. */
const storable = (text: string) => text.replace(/[\p{Cc}\p{Cs}]/gu, " ").slice(0, 100);
const quoted = (text: string) => `“${storable(text)}”`;
