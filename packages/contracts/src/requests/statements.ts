import { z } from "zod";
import { Instant, Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";

/** The bank's statements, and the day that is closed against them. Live money only. */

/** SHA-256 of a file, in hexadecimal. */
const FileHash = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
const BankAccountNumber = z.string().regex(/^[A-Z0-9]{6,34}$/, "must be the number as the bank's statements have it");
const ColumnName = z.string().min(1).max(100);

/** How the bank's own export of the account is read. */
export const StatementMapping = z.object({
  /** The row with the names of the columns, from 1. */
  header_row: z.int().min(1).max(100),
  /** `serial` for a workbook whose dates are cells of that type. */
  date_format: z.enum(["yyyy-MM-dd", "dd/MM/yyyy", "MM/dd/yyyy", "dd-MM-yyyy", "dd-MMM-yyyy", "dd-MMM-yy", "serial"]),
  newest_first: z.boolean().default(false),
  columns: z
    .object({
      date: ColumnName,
      narration: ColumnName,
      /** Without it a file cannot prove that it is whole. */
      balance: ColumnName,
      value_date: ColumnName.optional(),
      /** With ids: of the bank, of sessions, of settlements. */
      references: z.array(ColumnName).max(5).optional(),
      debit: ColumnName.optional(),
      credit: ColumnName.optional(),
      /** A signed amount, instead of the two. */
      amount: ColumnName.optional(),
    })
    .refine(({ amount, debit, credit }) => (amount === undefined ? debit && credit : !debit && !credit), {
      message: "must name debit and credit, or amount",
    }),
});
export type StatementMapping = z.output<typeof StatementMapping>;

const BankAccount = z.object({
  number: BankAccountNumber,
  /** The partner whose transfers it receives, as accounts stores them. */
  bank: z.string().min(1).max(40),
  /** Whether payouts leave from it: one account's do. */
  pays_out: z.boolean(),
  /** Words in the narration of what the bank charges for itself. */
  charge_words: z.array(z.string().min(3).max(60)).max(50),
  mapping: StatementMapping.nullable(),
});

export const setBankAccount = request({
  subject: "statements.account.set",
  callers: ["operator"],
  operator: { action: "bank_account.set", detail: ["number", "bank", "pays_out"], fourEyes: true },
  meaning: "Name an account of ours at a bank, whose statements are taken, or change how they are read.",
  input: BankAccount,
  output: BankAccount,
});

export const listBankAccounts = request({
  subject: "statements.account.list",
  callers: ["operator"],
  operator: "read",
  meaning: "Our accounts at banks, with the last day of which there is a statement.",
  input: z.object({}),
  output: z.object({
    accounts: z.array(BankAccount.extend({ from: Day.nullable(), to: Day.nullable(), closing: Kobo.nullable() })),
  }),
});

/** The bytes of one part of a file, so that its base64 fits into a message. */
export const STATEMENT_PART_MAX = 4 * 1024 * 1024;
const PARTS_MAX = 4;

export const putStatementPart = request({
  subject: "statements.file.put",
  callers: ["operator"],
  operator: "read",
  meaning: "Store a part of a file for an hour. Nothing reads it before the act that names the hash of the whole file.",
  deadlineMs: 20_000,
  input: z.object({
    hash: FileHash,
    part: z.int().min(1).max(PARTS_MAX),
    data: z.base64().max(Math.ceil(STATEMENT_PART_MAX / 3) * 4),
  }),
  output: z.object({}),
});

export const ImportedStatement = z.object({
  account: z.string(),
  number: z.string().nullable(),
  from: Day,
  to: Day,
  opening: Kobo,
  closing: Kobo,
  lines: z.int(),
});

export const importStatements = request({
  subject: "statements.file.import",
  callers: ["operator"],
  operator: { action: "statements.imported", detail: ["hash", "name", "account", "period"], result: ["statements"] },
  meaning: "Take the statements of a file, whole or not at all. A file that was taken before is the same statements.",
  deadlineMs: 60_000,
  input: z.object({
    hash: FileHash,
    parts: z.int().min(1).max(PARTS_MAX),
    name: z.string().max(200),
    /** The account, for a format that does not name it (CSV, XLSX). */
    account: BankAccountNumber.optional(),
    /** The days that such a file was made for. Without it they are those of its first and its last line. */
    period: z.object({ from: Day, to: Day }).optional(),
  }),
  output: z.object({ statements: z.array(ImportedStatement), is_new: z.boolean() }),
});

const DifferenceClass = z.enum(["timing", "charge", "bank_only", "books_only", "different_amount", "ledger"]);

/** At most this many lines of a difference are in a response; `items_total` counts all. */
export const DAY_ITEMS_MAX = 2_000;

export const DaySheet = z.object({
  day: Day,
  state: z.enum(["open", "closed"]),
  closed_at: Instant.nullable(),
  closed_by: z.string().nullable(),
  accounts: z.array(
    z.object({
      number: z.string(),
      bank: z.string(),
      opening: Kobo,
      in: Kobo,
      out: Kobo,
      charges: Kobo,
      closing: Kobo,
      lines: z.int(),
      matched: z.int(),
    }),
  ),
  /** Of all accounts together, by the end of the day. */
  ledger: z.object({ opening: Kobo, closing: Kobo }),
  /** By how much more the balances at the bank changed than the ledger's. */
  difference: Kobo,
  items_total: z.int(),
  items: z.array(
    z.object({
      /** `line:17`, `match:4`, `ledger`, or the id of a movement: `int_…`, `trf_…`. */
      key: z.string(),
      class: DifferenceClass,
      account: z.string().nullable(),
      /** By how much the bank has more because of it. */
      amount: Kobo,
      /** As the bank or our books describe it. */
      what: z.string(),
      /** Its counterpart was found on another day: it needs no reason. */
      settled: z.boolean(),
      reason: z.string().nullable(),
      explained_by: z.string().nullable(),
    }),
  ),
  /** Why the day cannot be closed now; null if it can, or is. */
  blocked_by: z.string().nullable(),
});
export type DaySheet = z.output<typeof DaySheet>;

export const showDay = request({
  subject: "statements.day.show",
  callers: ["operator"],
  operator: "read",
  meaning:
    "A day at the bank and in our books, and their difference line by line. A closed one is as it was when it was closed.",
  deadlineMs: 60_000,
  input: z.object({ day: Day }),
  output: DaySheet,
});

const Reason = z.string().trim().min(5).max(500);

export const explainDifference = request({
  subject: "statements.day.explain",
  callers: ["operator"],
  operator: { action: "day.explained", detail: ["day", "item", "amount", "reason"] },
  meaning:
    "Give a reason for a line of an open day's difference, or for all of a class, such as the bank's charges. It counts for this amount only.",
  input: z.object({
    day: Day,
    /** The key of an item, or a class: then the amount is the sum of its items that need a reason. */
    item: z.string().max(120),
    amount: Kobo,
    reason: Reason,
  }),
  output: z.object({}),
});

export const closeDay = request({
  subject: "statements.day.close",
  callers: ["operator"],
  operator: { action: "day.closed", detail: ["day"], result: ["difference", "items_total"] },
  meaning: "Lock a day whose every difference has a reason, given by another person. Days are closed in order.",
  deadlineMs: 60_000,
  input: z.object({ day: Day }),
  output: DaySheet,
});

export const reopenDay = request({
  subject: "statements.day.reopen",
  callers: ["operator"],
  operator: { action: "day.reopened", detail: ["day", "reason"], fourEyes: true },
  meaning: "Unlock the last closed day.",
  input: z.object({ day: Day, reason: Reason }),
  output: z.object({}),
});

const LineId = z.string().regex(/^\d{1,18}$/);

export const getStatementLine = request({
  subject: "statements.line.get",
  callers: ["operator"],
  operator: "read",
  meaning: "A line of a statement, or a part of a batched one.",
  input: z.object({ line: LineId }),
  output: z.object({
    account: z.string(),
    bank: z.string(),
    booked_on: Day,
    amount: Kobo,
    session_id: z.string().nullable(),
    references: z.array(z.string()),
    narration: z.string(),
    is_matched: z.boolean(),
    /** As its session id says; null without one. */
    paid_at: Instant.nullable(),
  }),
});

export const matchByHand = request({
  subject: "statements.match.set",
  callers: ["operator"],
  operator: { action: "lines.matched", detail: ["lines", "movements"] },
  meaning:
    "Match lines with movements that belong together; what either is matched with by itself gives way. It is kept.",
  input: z.object({
    lines: z.array(LineId).min(1).max(100),
    movements: z.array(z.string().max(120)).min(1).max(100),
  }),
  output: z.object({ match: z.string() }),
});
