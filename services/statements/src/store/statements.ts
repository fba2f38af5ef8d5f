import { columns, query, type Session } from "@collect/database";
import type { Last } from "../domain/sequence.ts";
import type { Day, Part, Statement } from "../domain/statement.ts";

/** Of the statements of an account: the last day of which one is complete. */
export const PROVEN_TO = "max(to_on - (not is_final)::integer)";
/** Of the statements of one of `bank_accounts`. After the last one of an account that has ended nothing comes. */
export const COVERED_TO = `case when bank_accounts.last_on is null then ${PROVEN_TO} else 'infinity' end`;

type LastStatement = Last & { id: bigint; from: Day; is_offered: boolean; is_only: boolean };
const last = query<LastStatement>(`
  select id, number, from_on::text as from, to_on::text as to, closing, not is_final as "isInterim",
    not exists (select from statements as other where account = $1 and from_on = last.from_on and id <> last.id) as is_only,
    exists (select from offers join lines on lines.id = line_id where statement_id = last.id) as is_offered
  from statements as last where account = $1 order by from_on desc, id desc limit 1`);
export async function lastStatement(tx: Session, account: string): Promise<LastStatement | undefined> {
  const [row] = await last(tx, [account]);
  return row;
}

const today = query<{ today: Day }>("select (clock_timestamp() at time zone 'Africa/Lagos')::date::text as today");
/** The day in Lagos, which is not over. */
export async function readToday(tx: Session): Promise<Day> {
  const [row] = await today(tx);
  if (!row) throw new Error("the clock returned no row");
  return row.today;
}

const insert = query<{ id: bigint }>(`
  insert into statements (account, file, number, from_on, to_on, opening, closing, line_count, is_final, taken_by, taken_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text, case when $10 is not null then clock_timestamp() end) returning id`);

const insertRows = query(`
  insert into lines (statement_id, position, part, account, booked_on, value_on, amount, session_id, refs, narration, is_charge)
  select $1, position, part, $2, booked_on, value_on, amount, session_id,
    array(select jsonb_array_elements_text(refs)), narration, is_charge
  from unnest($3::integer[], $4::integer[], $5::date[], $6::date[], $7::bigint[], $8::text[], $9::jsonb[], $10::text[], $11::boolean[])
    as line (position, part, booked_on, value_on, amount, session_id, refs, narration, is_charge)`);

/**
 * The numbers of lines go on from the clock, in microseconds, which no import outruns: so a database that was restored does not give the number
 * of a line that it lost to another one. An operator may still offer it, and accounts knows what became of its offer. One import at a time: of
 * two, the later would move the numbers back to what the other is giving.
 */
const numberByClock = query(`
  select setval('lines_id_seq', clock) from (
    select nextval('lines_id_seq') as next, (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock) as numbers
  where next < clock - 1000000`);

const ROWS_A_STATEMENT = 5_000;

type Given = {
  account: string;
  file: string;
  /** Who takes it again, of a file that is known. */
  takenBy: string | null;
  statement: Statement;
  isCharge(part: Part): boolean;
};

/** Inserts a statement with its lines. A batched line is stored as its parts. What moves no money is no line, as in a table: a note, or a waived fee. */
export async function insertStatement(tx: Session, given: Given): Promise<void> {
  const { account, file, takenBy, statement, isCharge } = given;
  const { number, from, to, opening, closing, lines, isInterim } = statement;
  const values = [account, file, number, from, to, opening, closing, lines.length, !isInterim, takenBy];
  const [row] = await insert(tx, values);
  await numberByClock(tx);
  const rows = rowsOf(statement, isCharge);
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const slice = rows.slice(start, start + ROWS_A_STATEMENT);
    const fields = columns(
      slice,
      "position",
      "part",
      "bookedOn",
      "valueOn",
      "amount",
      "sessionId",
      "refs",
      "narration",
    );
    await insertRows(tx, [row?.id, account, ...fields, slice.map((line) => line.isCharge)]);
  }
}

function rowsOf({ lines }: Statement, isCharge: (part: Part) => boolean) {
  const all = lines.flatMap(({ bookedOn, valueOn, parts, ...line }, index) => {
    const rows = parts.length === 0 ? [line] : parts;
    return rows.map((row, part) => ({
      ...{ position: index + 1, part: parts.length === 0 ? 0 : part + 1, bookedOn, valueOn, amount: row.amount },
      ...{ sessionId: row.sessionId, refs: JSON.stringify(row.references), narration: row.narration },
      isCharge: isCharge(row),
    }));
  });
  return all.filter(({ amount }) => amount !== 0n);
}

type StatementLine = {
  account: string;
  bank: string;
  booked_on: string;
  amount: bigint;
  session_id: string | null;
  references: string[];
  narration: string;
  is_charge: boolean;
  is_matched: boolean;
  is_own: boolean;
  has_payouts: boolean;
};
const line = query<StatementLine>(`
  select account, bank, booked_on::text as booked_on, amount, session_id, refs as references, narration, is_charge,
    match_id is not null as is_matched, is_own_funds(id) as is_own, pays_out or payouts_of is not null as has_payouts
  from lines join bank_accounts on bank_accounts.number = account where id = $1`);
export async function readLine(tx: Session, id: string): Promise<StatementLine | undefined> {
  const [row] = await line(tx, [id]);
  return row;
}

export type StoredStatement = {
  account: string;
  number: string | null;
  from: string;
  to: string;
  opening: bigint;
  closing: bigint;
  lines: number;
};
const ofFile = query<StoredStatement>(`
  select account, number, from_on::text as from, to_on::text as to, opening, closing, line_count as lines
  from statements where file = $1 order by id`);
export const statementsOfFile = (tx: Session, hash: string) => ofFile(tx, [hash]);

const removeLines = query("delete from lines where statement_id = $1");
const remove = query<StoredStatement & { file: string }>(`
  delete from statements where id = $1
  returning account, number, from_on::text as from, to_on::text as to, opening, closing, line_count as lines, file`);
const removeFile = query("delete from files where hash = $1 and not exists (select from statements where file = $1)");
/** With its lines, and with its file if that had no other statement. The matches of the lines are gone before. */
export async function deleteStatement(tx: Session, id: bigint): Promise<StoredStatement> {
  await removeLines(tx, [id]);
  const [row] = await remove(tx, [id]);
  if (!row) throw new Error("a locked statement is gone");
  const { file, ...statement } = row;
  await removeFile(tx, [file]);
  return statement;
}
