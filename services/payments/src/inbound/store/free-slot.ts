/**
 * The first account with a free slot for an amount, and that slot. `account` is a relation of the statement with
 * position, account_number, account_name and bank_name; the others are its parameters. Of the free suffixes one that
 * was never used for this amount is preferred, or else the one that was released the longest ago, and at least one
 * pause ago; ties are broken by a random start. The time is taken after the statement's snapshot, so the session begins
 * after the sessions that released their slots have ended.
 */
export const freeSlot = (given: {
  merchantId: string;
  mode: string;
  amount: string;
  slotPauseS: string;
  start: string;
}): string => `
    select a.account_number, a.account_name, a.bank_name, free.suffix, time_of(${given.merchantId}, ${given.mode}) as at
    from (select * from account order by position) a cross join lateral (
      select suffix from generate_series(1, 99) as suffix
      left join lateral (
        select s.watch_until from sessions s
        where s.mode = ${given.mode} and s.account_number = a.account_number and s.amount = ${given.amount} + suffix
        order by coalesce(s.quoted_at, s.created_at) desc limit 1
      ) last on true
      where suffix <> all (array(
        select (s.amount - ${given.amount})::integer from sessions s
        where s.slot_held and s.mode = ${given.mode} and s.account_number = a.account_number
          and s.amount between ${given.amount} + 1 and ${given.amount} + 99))
        and (last.watch_until is null or last.watch_until <= time_of(${given.merchantId}, ${given.mode}) - ${given.slotPauseS} * interval '1 second')
      order by last.watch_until nulls first, (suffix + ${given.start}) % 99 limit 1
    ) free`;
