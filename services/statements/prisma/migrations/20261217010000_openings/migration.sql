-- What stood in accounts before their first statements, as days were closed with it: kobo of each account, less what our books had. The previous
-- release shows none of it and closes days without: then it is on the first open day of this one.
alter table closings add column openings jsonb not null default '{}';

create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if old.reopened_at is not null or
      (new.day, new.sheet, new.charges, new.charge_totals, new.own_funds, new.own_funds_totals, new.openings, new.closed_by, new.closed_at)
      is distinct from
      (old.day, old.sheet, old.charges, old.charge_totals, old.own_funds, old.own_funds_totals, old.openings, old.closed_by, old.closed_at) then
    raise exception 'a closing is only undone, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- A reason may say of that, too, that it is money of our own.
alter table explanations drop constraint explanations_own_check;
alter table explanations add constraint explanations_own_check
  check (not is_own or item ~ '^(line|opening):' and charge is null) not valid;
