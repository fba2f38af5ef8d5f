-- With the only statement of an account its movements go, too: they are read again with its next one. Otherwise an account that was named by
-- mistake could never be removed.
create or replace function refuse_withdrawal() returns trigger language plpgsql as $$
declare
  first date := (to_jsonb(old) ->> case tg_table_name when 'statements' then 'from_on' else 'booked_on' end)::date;
begin
  perform pg_advisory_xact_lock_shared(hashtext('closings'));
  if is_closed(first) then
    raise exception 'the day % is closed', first using errcode = 'restrict_violation';
  end if;
  -- Apart: movements have no id.
  if tg_table_name = 'statements' then
    if exists (select from statements where account = old.account and id > old.id) then
      raise exception 'a later statement of the account follows it, so it is refused' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return old;
end $$;
create trigger movements_are_withdrawn before delete on movements for each row execute function refuse_withdrawal();
grant delete on movements to collect_statements;
