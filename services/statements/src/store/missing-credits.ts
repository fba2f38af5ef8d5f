import { query, type Session } from "@collect/database";
import { AMOUNT_DAYS } from "../domain/matching.ts";
import { arrivedMin } from "../domain/offered-fee.ts";
import type { Day } from "../domain/statement.ts";
import { removeMatches } from "./matches.ts";
import { BACK_DAYS } from "./offers.ts";
import { PROVEN_TO } from "./statements.ts";

/**
 * Credits that the bank never had. Such a credit and the reversal that takes it back are a match without a line, whose number is below zero. While
 * accounts decides, the credit alone is held by one whose evidence is `amount`, so that no line that comes meanwhile is matched with it.
 */

export type KnownCredit = {
  account: string;
  on: Day;
  /** With what the bank kept of it. */
  sent: bigint;
  /** With a line. */
  is_matched: boolean;
  /** Our books have the reversal that says that it never came. */
  is_taken_back: boolean;
  /** The statements prove that it is missing. */
  is_covered: boolean;
};

const known = query<KnownCredit>(`
  select account, occurred_on::text as on, movements.amount + coalesce(kept, 0) as sent, coalesce(match_id > 0, false) as is_matched,
    exists (
      select from movements as reversal join bank_accounts as own on own.number = reversal.account
      where own.bank = bank_accounts.bank and reversal.amount < 0 and reversal.refs[1] like 'missing:%' and reversal.refs[1] = 'missing:' || movements.key
    ) as is_taken_back,
    coalesce(occurred_on >= covered_from and greatest(booked_on, occurred_on) <= covered_to - settles_within, false) as is_covered
  from movements join bank_accounts on bank_accounts.number = account
  cross join lateral (
    select min(from_on) as covered_from, ${PROVEN_TO} as covered_to from statements where account = bank_accounts.number
  ) as covered
  where key = $1 and movements.amount > 0 and starts_with(key, 'int_')`);
export const readCredit = async (tx: Session, key: string): Promise<KnownCredit | undefined> =>
  (await known(tx, [key]))[0];

const NAMED_MAX = 20;
/** A shorter one is a word of many narrations. */
const ID_MIN = 12;
const names = (id: string) =>
  `(${id} = any(lines.refs) or length(${id}) >= ${ID_MIN} and strpos(lines.narration, ${id}) > 0)`;
/** It is matched, to the kobo, with another report of the same session: the session was reported twice. */
const IS_OF_OTHER_REPORT = `(
  evidence in ('session', 'reference')
  and exists (select from movements as other where other.match_id = lines.match_id and other.session_id = credit.session_id)
  and (select sum(amount) from lines as part where part.match_id = lines.match_id)
    = (select sum(amount) from movements as part where part.match_id = lines.match_id))`;
/** It is in no match, or in one by hand, which is one operator's word. */
const IS_UNCONFIRMED =
  "(lines.match_id is null or exists (select from matches where id = lines.match_id and evidence = 'hand'))";
/** So is a reason, until its day is closed with it. */
const IS_CLOSED_AS_OWN = "(is_closed(lines.booked_on) and is_own_funds(lines.id))";
/** No index has what lines name, so all of the bank from a month before are read once: four seconds for a million. */
const mayBe = query<{ line: string }>(`
  with credit as (
    select movements.*, bank, refs[1] as bank_transfer_id from movements join bank_accounts on number = account where key = $1
  ), own as (
    select number, settles_within from credit join bank_accounts using (bank)
  ), settling as (
    select occurred_on - ${AMOUNT_DAYS} as from_on,
      greatest(occurred_on, booked_on) + (select max(settles_within) from own) + ${AMOUNT_DAYS} as to_on,
      exists (select from own where settles_within > 1)
        or exists (select from own join movements on account = number where settlement_id <> coalesce(refs[1], '')) as is_in_sums
    from credit
  ), settled as (
    select match_id from own join movements on account = number
    where settlement_id = (select settlement_id from credit) and match_id is not null
  ), found as materialized (
    select lines.*, how.* from credit cross join settling cross join own join lines on lines.account = own.number
    cross join lateral (
      select lines.match_id in (select match_id from settled) or ${names("settlement_id")} or ${names("bank_transfer_id")} as is_named,
        lines.session_id = credit.session_id or ${names("credit.session_id")} as is_of_session,
        lines.amount = credit.amount as is_of_amount,
        lines.booked_on between from_on and to_on and (lines.amount between $3 and $4 or is_in_sums and lines.amount > $4)
          and ${IS_UNCONFIRMED} as is_short_or_sum
    ) as how
    where lines.amount > 0 and lines.booked_on >= occurred_on - ${BACK_DAYS} and lines.id <> all ($2::bigint[])
      and (is_named or is_of_session or is_of_amount or is_short_or_sum)
  )
  select lines.id::text as line from found as lines cross join credit left join matches on matches.id = lines.match_id
  where is_named or is_of_session and not coalesce(${IS_OF_OTHER_REPORT}, false) or (
    is_short_or_sum or is_of_amount and (${IS_UNCONFIRMED}
      or evidence = 'amount' and lines.booked_on between occurred_on - ${AMOUNT_DAYS} and occurred_on + ${AMOUNT_DAYS})
  ) and not ${IS_CLOSED_AS_OWN} and not exists (select from offers where line_id = lines.id)
  order by lines.id limit ${NAMED_MAX}`);
type Search = { key: string; despite: string[]; sent: bigint };
/**
 * Lines of its bank that may be the credit, or have it in their sum: those that name it, those in a match with its settlement, and by the amount those
 * in no match or in one by hand, or with another transfer by nothing but the amount.
 */
export const linesThatMayBe = async (tx: Session, { key, despite, sent }: Search): Promise<string[]> =>
  (await mayBe(tx, [key, despite, arrivedMin(sent), sent])).map(({ line }) => line);

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
