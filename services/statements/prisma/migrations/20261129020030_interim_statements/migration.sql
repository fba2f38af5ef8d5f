-- A day may have several statements, and a statement several pages: one that is not final leaves its last day open.
alter table statements add column is_final boolean not null default true;

-- Statements of an account are taken in order.
create or replace function refuse_withdrawal() returns trigger language plpgsql as $$
declare
  first date := (to_jsonb(old) ->> case tg_table_name when 'lines' then 'booked_on' else 'from_on' end)::date;
begin
  perform pg_advisory_xact_lock_shared(hashtext('closings'));
  if is_closed(first) then
    raise exception 'the day % is closed', first using errcode = 'restrict_violation';
  end if;
  if tg_table_name = 'statements' and exists (select from statements where account = old.account and id > old.id) then
    raise exception 'a later statement of the account follows it, so it is refused' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
