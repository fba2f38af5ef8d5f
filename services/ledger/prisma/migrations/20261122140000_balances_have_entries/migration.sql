-- The trigger on entries proves that they lead up to their account. This one proves the converse: an account's balance and
-- version are those of its last entry, so no statement moves a balance without the entry that explains it.
create function refuse_unexplained_balances() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  wrong text;
begin
  select id into wrong
  from moved
  where (
    select (account_version, balance_after) = (moved.version, moved.balance)
    from entries where account_id = moved.id order by account_version desc limit 1
  ) is not true
  limit 1;
  if found then
    raise exception 'the balance of % is not that of its last entry', wrong using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger ledger_accounts_insert_explained after insert on ledger_accounts
  referencing new table as moved for each statement execute function refuse_unexplained_balances();
create trigger ledger_accounts_update_explained after update on ledger_accounts
  referencing new table as moved for each statement execute function refuse_unexplained_balances();
