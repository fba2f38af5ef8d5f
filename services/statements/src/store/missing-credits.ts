import { query, type Session } from "@collect/database";
import { AMOUNT_DAYS } from "../domain/matching.ts";
import type { Day } from "../domain/statement.ts";
import { removeMatches } from "./matches.ts";
import { BACK_DAYS } from "./offers.ts";
import { COVERED_TO } from "./statements.ts";

/**
 * Credits that the bank never had. Such a credit and the reversal that takes it back are a match without a line, whose number is below zero. While
 * accounts decides, the credit alone is held by one whose evidence is `amount`, so that no line that comes meanwhile is matched with it.
 */

export type KnownCredit = {
  account: string;
  on: Day;
  /** With a line. */
  is_matched: boolean;
  /** Our books have the reversal that says that it never came. */
  is_taken_back: boolean;
  /** The statements prove that it is missing. */
  is_covered: boolean;
};

const known = query<KnownCredit>(`
  select account, occurred_on::text as on, coalesce(match_id > 0, false) as is_matched,
    exists (
      select from movements as reversal join bank_accounts as own on own.number = reversal.account
      where own.bank = bank_accounts.bank and reversal.amount < 0 and reversal.refs[1] like 'missing:%' and reversal.refs[1] = 'missing:' || movements.key
    ) as is_taken_back,
    coalesce(occurred_on >= covered_from and greatest(booked_on, occurred_on) <= covered_to - settles_within, false) as is_covered
  from movements join bank_accounts on bank_accounts.number = account
  cross join lateral (
    select min(from_on) as covered_from, ${COVERED_TO} as covered_to from statements where account = bank_accounts.number
  ) as covered
  where key = $1 and movements.amount > 0 and starts_with(key, 'int_')`);
export const readCredit = async (tx: Session, key: string): Promise<KnownCredit | undefined> =>
  (await known(tx, [key]))[0];

const NAMED_MAX = 20;
const mayBe = query<{ line: string }>(`
  with credit as (select * from movements where key = $1), found as (
    select lines.id from credit join lines using (account)
    where lines.match_id is null and lines.amount > 0 and (lines.amount = credit.amount or lines.session_id = credit.session_id)
      and lines.booked_on >= credit.occurred_on - ${BACK_DAYS}
    union select lines.id from credit join lines using (account) join matches on matches.id = lines.match_id and evidence = 'amount'
    where lines.amount = credit.amount and lines.booked_on between credit.occurred_on - ${AMOUNT_DAYS} and credit.occurred_on + ${AMOUNT_DAYS}
  )
  select id::text as line from found
  where id <> all ($2::bigint[]) and not is_own_funds(id) and not exists (select from offers where line_id = id)
  order by id limit ${NAMED_MAX}`);
/** Lines that may be the credit: by its amount or session in no match, or with another transfer by nothing but the amount. */
export const linesThatMayBe = async (tx: Session, key: string, despite: string[]): Promise<string[]> =>
  (await mayBe(tx, [key, despite])).map(({ line }) => line);

const insert = query<{ id: bigint }>(`
  insert into matches (id, evidence) values (nextval('matches_without_lines'), $1) returning id`);
const link = query<{ key: string }>(`
  update movements set match_id = $2 where key = any($1::text[]) and match_id is null returning key`);

const heldFor = query<{ match: bigint }>("select match_id as match from movements where key = $1 and match_id < 0");
/** From now on, anew if it was held before. Under the lock of the account. */
export async function holdCredit(tx: Session, key: string): Promise<void> {
  await removeMatches(
    tx,
    (await heldFor(tx, [key])).map(({ match }) => match),
  );
  await matchWithoutLine(tx, [key], "amount");
}

const reversals = query<{ credit: string; reversal: string; given_up: bigint[] }>(`
  select credit.key as credit, reversal.key as reversal, array_remove(array[credit.match_id, reversal.match_id], null) as given_up
  from movements as reversal
  join movements as credit on credit.key = substr(reversal.refs[1], length('missing:') + 1)
  left join matches as one on one.id = credit.match_id left join matches as other on other.id = reversal.match_id
  where reversal.account = $1 and reversal.amount < 0 and reversal.refs[1] like 'missing:%'
    and credit.account = reversal.account and credit.amount = -reversal.amount
    and (one.id is null or one.evidence = 'amount') and (other.id is null or other.evidence = 'amount')`);
/** Credits with the reversals that have taken them back, as far as they are of one account. What is matched by the amount alone gives way. */
export async function matchReversed(tx: Session, account: string): Promise<void> {
  for (const { credit, reversal, given_up } of await reversals(tx, [account])) {
    await removeMatches(tx, given_up);
    await matchWithoutLine(tx, [credit, reversal], "reference");
  }
}

/** Longer than accounts books a reversal after its credit was held (services/accounts), and than rows are read that commit late. */
const HELD = "10 minutes";
const overdue = query<{ match: bigint }>(`
  select matches.id as match from matches join movements on match_id = matches.id
  where matches.id < 0 and evidence = 'amount' and account = $1
    and made_at < (select complete_to from positions where source = 'accounts') - interval '${HELD}'`);
/** Those whose act has ended without a reversal: all that accounts has booked by then was read. */
export const releaseHeld = async (tx: Session, account: string): Promise<void> =>
  removeMatches(
    tx,
    (await overdue(tx, [account])).map(({ match }) => match),
  );

async function matchWithoutLine(tx: Session, keys: string[], evidence: "amount" | "reference"): Promise<void> {
  const [match] = await insert(tx, [evidence]);
  const linked = await link(tx, [keys, match?.id]);
  if (linked.length !== keys.length) throw new Error("what was locked is in another match");
}
