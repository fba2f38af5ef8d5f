import {
  browseJournal,
  browseOf,
  browseStatement,
  getStatementTotals,
  Id,
  Instant,
  JournalEntry,
  StatementLine,
} from "@collect/contracts";
import { z } from "zod";
import { composedList, type Declaration, read } from "./declaration.ts";

/** A line of the books in words: the time in Lagos, what it is about, and the reference that the merchant knows it by. */
const inWords = { recorded_at: Instant, description: z.string(), reference: Id.nullable() };
const { recorded_at: _at, kind: _kind, key: _key, ...amounts } = StatementLine.shape;
const { account, debit, credit, balance, transaction_id } = JournalEntry.shape;

const Statement = browseOf(z.object({ ...inWords, ...amounts }));
const Journal = browseOf(z.object({ ...inWords, account, debit, credit, balance, transaction_id }));

/** The ledger as a merchant's books, among the reads of a merchant: on the page as in a file, they are taken by those who may export. */
export const BOOK_READS = {
  journal: { ...composedList(browseJournal.input.omit({ merchant: true }), Journal), permission: "exports" },
  statement: { ...composedList(browseStatement.input.omit({ merchant: true }), Statement), permission: "exports" },
  "statement/summary": read(getStatementTotals),
} satisfies Record<string, Declaration>;
