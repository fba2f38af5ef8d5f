import { Problem, StatementMapping } from "@collect/contracts";
import { type Pool, query, type Session, transaction } from "@collect/database";
import type { Day } from "../domain/statement.ts";
import { readFrom } from "./movements.ts";

export type BankAccount = {
  number: string;
  bank: string;
  pays_out: boolean;
  payouts_of: string | null;
  own_references: boolean;
  settles_within: number;
  charge_words: string[];
  mapping: StatementMapping | null;
};

const upsert = query(`
  insert into bank_accounts (number, bank, pays_out, payouts_of, own_references, settles_within, charge_words, mapping)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (number) do update set bank = excluded.bank, pays_out = excluded.pays_out, payouts_of = excluded.payouts_of,
    own_references = excluded.own_references, settles_within = excluded.settles_within, charge_words = excluded.charge_words,
    mapping = excluded.mapping, set_at = clock_timestamp()`);
type Former = Omit<BankAccount, "number" | "charge_words" | "mapping"> & { from: Day | null; is_offered: boolean };
const former = query<Former>(`
  select bank, pays_out, payouts_of, own_references, settles_within, (select min(from_on) from statements where account = $1)::text as from,
    exists (select from offers where account = $1) as is_offered
  from bank_accounts where number = $1 for no key update`);

type Named = Omit<BankAccount, "payouts_of" | "own_references" | "settles_within"> & {
  payouts_of?: string | null | undefined;
  own_references?: boolean | undefined;
  settles_within?: number | undefined;
};

/**
 * If other movements are its own now, they are read again from its first statement on. What its references say counts from the next matching
 * on, which makes the matches of open days by the amount anew.
 */
export function setBankAccount(pool: Pool, account: Named): Promise<void> {
  const { number, bank, pays_out, charge_words, mapping } = account;
  return transaction(pool, async (tx) => {
    const [before] = await former(tx, [number]);
    if (before?.is_offered && before.bank !== bank)
      throw new Problem("conflict", `A line of it was offered as a transfer of ${before.bank}: that stays its bank.`);
    const payouts_of = account.payouts_of === undefined ? (before?.payouts_of ?? null) : account.payouts_of;
    const own_references = account.own_references ?? before?.own_references ?? false;
    const settles_within = account.settles_within ?? before?.settles_within ?? 1;
    const read = [charge_words, mapping && JSON.stringify(mapping)];
    await upsert(tx, [number, bank, pays_out, payouts_of, own_references, settles_within, ...read]);
    const hasOthers = before?.bank !== bank || before.pays_out !== pays_out || before.payouts_of !== payouts_of;
    if (before?.from && hasOthers) await readFrom(tx, before.from);
  });
}

type Listed = BankAccount & {
  from: Day | null;
  to: Day | null;
  closing: bigint | null;
  last_day: Day | null;
  page_missing: boolean;
};
const list = query<Listed>(`
  select bank_accounts.number, bank, pays_out, payouts_of, own_references, settles_within, charge_words, mapping,
    first.from_on::text as from, last.to_on::text as to, last.closing, last_on::text as last_day, coalesce(not last.is_final, false) as page_missing
  from bank_accounts
  left join lateral (select from_on from statements where account = bank_accounts.number order by from_on limit 1) as first on true
  left join lateral (
    select to_on, closing, is_final from statements where account = bank_accounts.number order by from_on desc, id desc limit 1
  ) as last on true
  order by bank_accounts.number`);
export async function listBankAccounts(pool: Session): Promise<Listed[]> {
  const rows = await list(pool);
  return rows.map((row) => ({ ...row, mapping: row.mapping && StatementMapping.parse(row.mapping) }));
}

type Locked = Pick<BankAccount, "charge_words" | "own_references"> & { last_day: Day | null };
const lock = query<Locked>(
  "select last_on::text as last_day, own_references, charge_words from bank_accounts where number = $1 for no key update",
);

/** Held until the end of the transaction: statements and matches of an account are made one after the other. */
export async function lockBankAccount(tx: Session, number: string): Promise<Locked | undefined> {
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
