import { z } from "zod";
import { Instant, Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";

/** The bank's statements. Live money only. */

export const Reason = z.string().trim().min(5).max(500);

/** SHA-256 of a file, in hexadecimal. */
const FileHash = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
export const BankAccountNumber = z
  .string()
  .regex(/^[A-Z0-9]{6,34}$/, "must be the number as the bank's statements have it");
const ColumnName = z.string().min(1).max(100);

/** How the bank's own export of the account is read. */
export const StatementMapping = z.object({
  /** The row with the names of the columns, from 1. */
  header_row: z.int().min(1).max(100),
  /** `serial` for a workbook whose dates are cells of that type. */
  date_format: z.enum(["yyyy-MM-dd", "dd/MM/yyyy", "MM/dd/yyyy", "dd-MM-yyyy", "dd-MMM-yyyy", "dd-MMM-yy", "serial"]),
  newest_first: z.boolean().default(false),
  /** Of text files that do not declare one themselves, such as CSV; UTF-8 if it is absent. */
  encoding: z.enum(["utf-8", "windows-1252"]).optional(),
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

/** A partner, as accounts stores it. */
export const BankId = z.string().min(1).max(40);

/** Days: after that, money that is missing at the bank would be noticed too late. */
const SETTLES_WITHIN_MAX = 14;

const BankAccount = z.object({
  number: BankAccountNumber,
  /** The partner whose transfers it receives. */
  bank: BankId,
  /** Whether payouts leave from it, unless their partner has an account for them: one account's do. */
  pays_out: z.boolean(),
  /** The partner whose payouts leave from it, and from no other. What a caller of an earlier release leaves out stays as it is. */
  payouts_of: BankId.nullish(),
  /**
   * The references on its lines are the bank's own, and agree with no id of a transfer or payout: then a line is matched by its amount and day as
   * well, if it is the only one. What a caller of an earlier release leaves out stays as it is.
   */
  own_references: z.boolean().optional(),
  /**
   * Within how many days a payment to us is on the account: a partner that pays a day's payments out in one sum does it on a later banking day. Not
   * for payouts, which are on it by the next day. What a caller of an earlier release leaves out stays as it is, 1 at first.
   */
  settles_within: z.int().min(1).max(SETTLES_WITHIN_MAX).optional(),
  /** Whole words in the narration of what the bank charges for itself. */
  charge_words: z.array(z.string().min(3).max(60)).max(50),
  mapping: StatementMapping.nullable(),
});

export const setBankAccount = request({
  subject: "statements.account.set",
  callers: ["operator"],
  operator: {
    action: "bank_account.set",
    detail: ["number", "bank", "pays_out", "payouts_of", "own_references", "settles_within", "charge_words", "mapping"],
    fourEyes: true,
  },
  operatorPages: true,
  meaning: "Name an account of ours at a bank, whose statements are taken, or change how they are read.",
  input: BankAccount,
  output: BankAccount,
});

export const endBankAccount = request({
  subject: "statements.account.end",
  callers: ["operator"],
  operator: { action: "bank_account.ended", detail: ["number", "last_day", "residue", "reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "End an account of ours with the last statement that was taken of it: later days close without it, the first of them by another person, who is shown what is left at the bank.",
  input: z.object({
    number: BankAccountNumber,
    /** That of its last statement. */
    last_day: Day,
    /** What that statement leaves at the bank, where it is not its last one or does not end with zero. Our books keep it. */
    residue: Kobo.optional(),
    reason: Reason,
  }),
  output: z.object({}),
});

export const continueBankAccount = request({
  subject: "statements.account.continue",
  callers: ["operator"],
  operator: { action: "bank_account.continued", detail: ["number", "reason"], fourEyes: true },
  operatorPages: true,
  meaning: "Take the end of an account back, while no later day is closed.",
  input: z.object({ number: BankAccountNumber, reason: Reason }),
  output: z.object({}),
});

export const removeBankAccount = request({
  subject: "statements.account.remove",
  callers: ["operator"],
  operator: { action: "bank_account.removed", detail: ["number", "reason"], fourEyes: true },
  operatorPages: true,
  meaning: "Remove an account that was named by mistake: one without statements.",
  input: z.object({ number: BankAccountNumber, reason: Reason }),
  output: z.object({}),
});

export const listBankAccounts = request({
  subject: "statements.account.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Our accounts at banks, with the last day of which there is a statement.",
  input: z.object({}),
  output: z.object({
    accounts: z.array(
      BankAccount.extend({
        from: Day.nullable(),
        to: Day.nullable(),
        closing: Kobo.nullable(),
        /** Null unless it has ended. */
        last_day: Day.nullable(),
        /** The last statement is to be continued. */
        page_missing: z.boolean().optional(),
      }),
    ),
  }),
});

/** The bytes of one part of a file, so that its base64 fits into a message. */
export const STATEMENT_PART_MAX = 4 * 1024 * 1024;
const PARTS_MAX = 4;

export const putStatementPart = request({
  subject: "statements.file.put",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "Store a part of a file for an hour, up to 64 MB of one operator. Nothing reads it before the act that names the hash of the whole file.",
  deadlineMs: 20_000,
  input: z.object({
    hash: FileHash,
    part: z.int().min(1).max(PARTS_MAX),
    data: z.base64().max(Math.ceil(STATEMENT_PART_MAX / 3) * 4),
    /** Who is signed in to the operators' pages, by their server's word; elsewhere the broker says whose connection it is. */
    uploader: z.string().max(200).optional(),
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
  operator: {
    action: "statements.imported",
    detail: ["hash", "name", "account", "period", "closing", "despite_number"],
    result: ["statements"],
  },
  operatorPages: true,
  meaning:
    "Take the statements of a file, whole or not at all. A file that was taken before is the same statements; those that were withdrawn are taken again.",
  deadlineMs: 60_000,
  input: z.object({
    hash: FileHash,
    parts: z.int().min(1).max(PARTS_MAX),
    name: z.string().max(200),
    /** The account, for a format that does not name it (CSV, XLSX). */
    account: BankAccountNumber.optional(),
    /** The days that such a file was made for. Without it they are those of its first and its last line. */
    period: z.object({ from: Day, to: Day }).optional(),
    /** The balance that such a file has to end with: where it was cut off after a line, nothing in it says so. */
    closing: Kobo.optional(),
    /** The bank has no statements of this account under the numbers that are skipped. */
    despite_number: z.boolean().optional(),
  }),
  output: z.object({ statements: z.array(ImportedStatement), is_new: z.boolean() }),
});

export const withdrawStatement = request({
  subject: "statements.statement.withdraw",
  callers: ["operator"],
  operator: { action: "statement.withdrawn", detail: ["account", "from", "number", "reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Take the last statement of an account back, of whose days none is closed: what its lines were matched with is open again, and its file can be imported again.",
  deadlineMs: 20_000,
  input: z.object({
    account: BankAccountNumber,
    from: Day,
    /** Of the statement, as its import says; required where several begin on that day. */
    number: z.string().max(60).optional(),
    reason: Reason,
  }),
  output: ImportedStatement,
});

/** The id of a statement, as the cursor of the list. */
const StatementId = z.string().regex(/^\d{1,18}$/);

export const listStatements = request({
  subject: "statements.statement.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The statements that were taken, newest first, with the file of each and who imported it.",
  input: z.object({ after: StatementId.optional() }),
  output: z.object({
    data: z.array(
      ImportedStatement.extend({
        id: StatementId,
        file: z.string(),
        imported_by: z.string(),
        imported_at: Instant,
        /** It is its account's last one, and none of its days is closed. */
        can_be_withdrawn: z.boolean(),
      }),
    ),
    next: StatementId.nullable(),
  }),
});
