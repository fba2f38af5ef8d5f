import { Problem, StatementMapping } from "@collect/contracts";
import { type Pool, query, type Session, transaction } from "@collect/database";
import type { Day } from "../domain/statement.ts";
import { readFrom } from "./movements.ts";

export type BankAccount = {
  number: string;
  bank: string;
  pays_out: boolean;
  charge_words: string[];
  mapping: StatementMapping | null;
};

const upsert = query(`
  insert into bank_accounts (number, bank, pays_out, charge_words, mapping) values ($1, $2, $3, $4, $5)
  on conflict (number) do update set bank = excluded.bank, pays_out = excluded.pays_out,
    charge_words = excluded.charge_words, mapping = excluded.mapping, set_at = clock_timestamp()`);
const former = query<{ bank: string; pays_out: boolean; from: Day | null; is_offered: boolean }>(`
  select bank, pays_out, (select min(from_on) from statements where account = $1)::text as from,
    exists (select from offers where account = $1) as is_offered
  from bank_accounts where number = $1 for no key update`);

/** If other movements are its own now, they are read again from its first statement on. */
export function setBankAccount(pool: Pool, account: BankAccount): Promise<void> {
  const { number, bank, pays_out, charge_words, mapping } = account;
  return transaction(pool, async (tx) => {
    const [before] = await former(tx, [number]);
    if (before?.is_offered && before.bank !== bank)
      throw new Problem("conflict", `A line of it was offered as a transfer of ${before.bank}: that stays its bank.`);
    await upsert(tx, [number, bank, pays_out, charge_words, mapping && JSON.stringify(mapping)]);
    if (before?.from && (before.bank !== bank || before.pays_out !== pays_out)) await readFrom(tx, before.from);
  });
}

type Listed = BankAccount & { from: Day | null; to: Day | null; closing: bigint | null; last_day: Day | null };
const list = query<Listed>(`
  select bank_accounts.number, bank, pays_out, charge_words, mapping, first.from_on::text as from, last.to_on::text as to, last.closing,
    last_on::text as last_day
  from bank_accounts
  left join lateral (select from_on from statements where account = bank_accounts.number order by from_on limit 1) as first on true
  left join lateral (
    select to_on, closing from statements where account = bank_accounts.number order by from_on desc, id desc limit 1
  ) as last on true
  order by bank_accounts.number`);
export async function listBankAccounts(pool: Session): Promise<Listed[]> {
  const rows = await list(pool);
  return rows.map((row) => ({ ...row, mapping: row.mapping && StatementMapping.parse(row.mapping) }));
}

const lock = query<{ last_day: Day | null; charge_words: string[] }>(
  "select last_on::text as last_day, charge_words from bank_accounts where number = $1 for no key update",
);

/** Held until the end of the transaction: statements and matches of an account are made one after the other. */
export async function lockBankAccount(
  tx: Session,
  number: string,
): Promise<{ last_day: Day | null; charge_words: string[] } | undefined> {
  const [row] = await lock(tx, [number]);
  return row;
}

const end = query("update bank_accounts set last_on = $2, ended_by = $3, end_reason = $4 where number = $1");
export const storeEnd = (
  tx: Session,
  { number, day, by, reason }: Record<"number" | "day" | "by" | "reason", string>,
) => end(tx, [number, day, by, reason]);
/** What came after it is read again. */
export async function deleteEnd(tx: Session, number: string, day: Day): Promise<void> {
  await end(tx, [number, null, null, null]);
  await readFrom(tx, day);
}

const remove = query<{ number: string }>("delete from bank_accounts where number = $1 returning number");
/** False if there is none. The references of its statements and movements refuse it. */
export const deleteBankAccount = async (tx: Session, number: string) => (await remove(tx, [number])).length > 0;
