-- What a closing has established as the bank's charges of each account, which the ledger books: kobo, less what the bank gave back. A trigger takes
-- it from the sheet, so also from those that the previous release stores.
alter table closings add column charge_totals jsonb not null default '{}';

create function charges_of_sheet(sheet jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(account, total), '{}') from (
    select item ->> 'account' as account,
      -sum((case item ->> 'class' when 'charge' then item ->> 'amount' else item ->> 'charge' end)::bigint) as total
    from jsonb_array_elements(sheet -> 'items') as item
    where item ->> 'class' = 'charge' or (item ->> 'is_charge')::boolean group by 1
  ) as charged
$$;
create function take_charges() returns trigger language plpgsql as $$
begin
  new.charge_totals := charges_of_sheet(new.sheet);
  return new;
end $$;
create trigger closings_take_charges before insert on closings for each row execute function take_charges();

-- The oldest closings have an item for each charge, and no list of them: it is made up for, so that such a line is counted as the others are.
alter table closings disable trigger closings_are_undone;
update closings set charges = named.lines from (
  select id, array_agg(substr(item ->> 'key', 6)::bigint) as lines
  from closings cross join lateral jsonb_array_elements(sheet -> 'items') as item
  where reopened_at is null and coalesce(charges, '{}') = '{}' and item ->> 'class' = 'charge' and item ->> 'key' ~ '^line:[0-9]+$'
  group by id
) as named where closings.id = named.id;
alter table closings enable trigger closings_are_undone;

-- Of days that are closed already: without the lines that were matched since, which our books have by their movements.
update closings set charge_totals = case when charges = '{}' then charges_of_sheet(sheet) else (
  select coalesce(jsonb_object_agg(account, total), '{}') from (
    select account, -sum(amount) as total from lines where id = any(charges) and match_id is null group by account
  ) as charged) end
where reopened_at is null;

create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if old.reopened_at is not null or (new.day, new.sheet, new.charges, new.charge_totals, new.closed_by, new.closed_at) is distinct from
      (old.day, old.sheet, old.charges, old.charge_totals, old.closed_by, old.closed_at) then
    raise exception 'a closing is only undone, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create function is_counted(line bigint, on_day date) returns boolean language sql stable as $$
  select exists (select from closings where day = on_day and reopened_at is null and line = any(charges))
$$;

-- As before, but for one thing: what a day was closed with as a charge is in the ledger as one, and is not matched with anything else.
create or replace function refuse_closed() returns trigger language plpgsql as $$
declare
  before record;
  wrong date;
begin
  -- A closing holds it alone, so no change that has seen the day open commits after its sheet is made.
  perform pg_advisory_xact_lock_shared(hashtext('closings'));
  if tg_table_name = 'explanations' then
    if is_closed(new.day) then wrong := new.day; end if;
  else
    if tg_op = 'UPDATE' then
      if tg_table_name = 'lines' then
        if old.match_id is null and new.match_id is not null and old.is_charge then
          if is_counted(old.id, old.booked_on) then
            raise exception 'the day % is closed', old.booked_on using errcode = 'restrict_violation';
          end if;
        end if;
      end if;
      -- A match may still be found for what was open when its day was closed, and one by the amount alone be undone by better
      -- evidence; nothing else changes.
      before := old;
      before.match_id := new.match_id;
      if before = new and (old.match_id is not distinct from new.match_id or old.match_id is null or is_weak(old.match_id)) then
        return new;
      end if;
      if is_closed(old.booked_on) then wrong := old.booked_on; end if;
    end if;
    if is_closed(new.booked_on) then wrong := new.booked_on; end if;
  end if;
  if wrong is not null then
    raise exception 'the day % is closed', wrong using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What the bank kept of the credits of a match, if the reason says so: above zero, what it had reported and shows on a line of its own. The
-- previous release knows reasons alone.
alter table explanations add column charge bigint;
alter table explanations add constraint explanations_charge_check check (charge <> 0) not valid;

-- What the ledger has of it, as it was read last.
create table booked_charges (
  day date not null,
  account text not null,
  total bigint not null,
  primary key (day, account)
);
grant select, insert, update, delete on booked_charges to collect_statements;
