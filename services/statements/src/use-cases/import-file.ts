import { createHash } from "node:crypto";
import { type ImportedStatement, Problem, type StatementMapping } from "@collect/contracts";
import { type Pool, type Session, transaction } from "@collect/database";
import type { z } from "zod";
import { chargesBy } from "../domain/charges.ts";
import { fault } from "../domain/fault.ts";
import type { Mapping, Period } from "../domain/formats/table.ts";
import { mayHaveSeveral, parseStatements } from "../domain/parse.ts";
import { assertFollows } from "../domain/sequence.ts";
import { type Day, kobo, type Statement } from "../domain/statement.ts";
import { listBankAccounts, lockBankAccount } from "../store/bank-accounts.ts";
import { claimFile, isKnown, lockImports, readParts, removeParts } from "../store/files.ts";
import { readFrom } from "../store/movements.ts";
import {
  insertStatement,
  lastStatement,
  readToday,
  type StoredStatement,
  statementsOfFile,
} from "../store/statements.ts";
import { refuseClosed } from "./closed-day.ts";

export type Upload = {
  hash: string;
  parts: number;
  name: string;
  account?: string | undefined;
  period?: Period | undefined;
  closing?: bigint | undefined;
  despite_number?: boolean | undefined;
};
type Imported = { statements: z.output<typeof ImportedStatement>[]; is_new: boolean };

/**
 * Takes the statements of a file in one transaction: all or none. The file is known by its hash, so that taking it again, at once or
 * after a crash, is the same import; a statement by its account and first day. Those that were withdrawn since are taken again.
 */
export async function importFile(pool: Pool, upload: Upload, by: string): Promise<Imported> {
  const { hash } = upload;
  // In this order: its parts are removed after it is known.
  const bytes = await readParts(pool, hash, upload.parts);
  const isWhole = createHash("sha256").update(bytes).digest("hex") === hash;
  // A file of one statement has it as long as it is known.
  if ((await isKnown(pool, hash)) && !(isWhole && mayHaveSeveral(bytes))) return taken(pool, hash, false);
  if (!isWhole) throw new Problem("conflict", "The parts are not the file with this hash: send them again.");
  const statements = parseStatements(bytes, await mappingOf(pool, upload.account), upload.period ?? null);
  assertClosing(statements, upload.closing);
  const is_new = await transaction(pool, (tx) => takeAll(tx, { statements, upload, by })).catch(refuseClosed);
  return taken(pool, hash, is_new);
}

type Taking = { statements: Statement[]; upload: Upload; by: string };

/** Whether any of them was not there yet. */
async function takeAll(tx: Session, { statements, upload, by }: Taking): Promise<boolean> {
  const { hash, name } = upload;
  // Before any account: two at once would move the numbers of lines to the same place, and may have the same accounts in another order.
  await lockImports(tx);
  const isNew = await claimFile(tx, { hash, name, by });
  const stored = new Set((isNew ? [] : await statementsOfFile(tx, hash)).map(contentOf));
  const missing = statements.filter((statement) => !stored.has(contentOf(asStored(statement, upload))));
  for (const statement of missing) await take(tx, statement, { ...upload, takenBy: isNew ? null : by });
  return missing.length > 0;
}

const asStored = ({ lines, ...statement }: Statement, { account }: Upload) => ({
  ...{ ...statement, account: statement.account ?? account ?? "" },
  lines: lines.length,
});
const contentOf = ({ account, number, from, to, opening, closing, lines }: StoredStatement) =>
  JSON.stringify([account, number, from, to, `${opening}`, `${closing}`, lines]);

/** What the operator read elsewhere, as on the bank's own page. */
function assertClosing(statements: Statement[], given: bigint | undefined): void {
  const closing = statements.at(-1)?.closing;
  if (given !== undefined && closing !== undefined && closing !== given)
    throw fault("closing_balance", `It ends with ${kobo(closing)}, and not with ${kobo(given)}: it may be cut off.`);
}

async function taken(pool: Pool, hash: string, is_new: boolean): Promise<Imported> {
  await removeParts(pool, hash);
  return { statements: await statementsOfFile(pool, hash), is_new };
}

async function mappingOf(pool: Pool, number: string | undefined): Promise<Mapping | null> {
  if (number === undefined) return null;
  const account = (await listBankAccounts(pool)).find((each) => each.number === number);
  if (!account) throw unknownAccount(number);
  return account.mapping && toMapping(account.mapping);
}

const toMapping = ({ header_row, date_format, newest_first, encoding, columns }: StatementMapping): Mapping => ({
  ...{ headerRow: header_row, dateFormat: date_format, isNewestFirst: newest_first, encoding },
  columns: { ...columns, valueDate: columns.value_date },
});

async function take(
  tx: Session,
  statement: Statement,
  { hash, account: named, despite_number, takenBy }: Upload & { takenBy: string | null },
): Promise<void> {
  const number = statement.account ?? named;
  if (number === undefined) throw fault("wrong_account", "It names no account: say which it is of.");
  if (named !== undefined && number !== named) throw fault("wrong_account", `It is of ${number}, and not of ${named}.`);
  const account = await lockBankAccount(tx, number);
  if (!account) throw unknownAccount(number);
  if (account.last_day) throw ended(account.last_day);
  const before = await lastStatement(tx, number);
  assertFollows(before, statement, despite_number);
  // More lines of that day would follow, in a file that overlaps this one, unless it says that they do.
  const today = await readToday(tx);
  if (statement.isInterim ? statement.to > today : statement.to >= today)
    throw fault("unfinished_day", `It is up to ${statement.to}, and that day is not over.`);
  const isCharge = chargesBy(account.charge_words);
  await insertStatement(tx, { account: number, file: hash, takenBy, statement, isCharge });
  if (!before) await readFrom(tx, statement.from);
}

/** Its last statement is that of its last day, and its balance zero. */
const ended = (day: Day) =>
  new Problem("conflict", "The account takes no more statements.", {
    errors: [{ param: "file", code: "account_ended", message: `Its account ended on ${day}.` }],
  });

const unknownAccount = (number: string) =>
  new Problem("not_found", `No account of ours has the number ${number.slice(0, 40)}.`);
