-- An account ends with its last statement: from the next day on, days close without it. The person who ended it does not close the first of them.
alter table bank_accounts
  add column last_on date,
  add column ended_by text,
  add column end_reason text,
  add constraint bank_accounts_end check (num_nonnulls(last_on, ended_by, end_reason) in (0, 3)) not valid;

-- Whether an account has ended is decided before the first day without it is closed, and not changed afterwards.
create function refuse_late_end() returns trigger language plpgsql as $$
declare
  first date := least(old.last_on, new.last_on) + 1;
begin
  perform pg_advisory_xact_lock_shared(hashtext('closings'));
  if is_closed(first) then
    raise exception 'the day % is closed', first using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger accounts_end_before_a_closing before update on bank_accounts for each row
  when (old.last_on is distinct from new.last_on) execute function refuse_late_end();

-- One that was named by mistake. What it has got by then keeps it, by its references.
grant delete on bank_accounts to collect_statements;
