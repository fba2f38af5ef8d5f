-- A reason may say that a line of the bank, in no match, is money of our own. The previous release knows reasons alone.
alter table explanations add column is_own boolean not null default false;
alter table explanations add constraint explanations_own_check check (not is_own or item like 'line:%' and charge is null) not valid;

-- What a closing has established as that: its lines, and the total of each account, which the ledger books: kobo, what came less what went.
alter table closings add column own_funds bigint[] default '{}';
alter table closings add column own_funds_totals jsonb not null default '{}';

create function own_funds_of_sheet(sheet jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(account, total), '{}') from (
    select item ->> 'account' as account, sum((item ->> 'amount')::bigint) as total
    from jsonb_array_elements(sheet -> 'items') as item where (item ->> 'is_own')::boolean group by 1
  ) as own
$$;
create or replace function take_charges() returns trigger language plpgsql as $$
begin
  new.charge_totals := charges_of_sheet(new.sheet);
  new.own_funds_totals := own_funds_of_sheet(new.sheet);
  return new;
end $$;

create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if old.reopened_at is not null or
      (new.day, new.sheet, new.charges, new.charge_totals, new.own_funds, new.own_funds_totals, new.closed_by, new.closed_at) is distinct from
      (old.day, old.sheet, old.charges, old.charge_totals, old.own_funds, old.own_funds_totals, old.closed_by, old.closed_at) then
    raise exception 'a closing is only undone, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- As before, but for one thing: what a day was closed with as our own money is in the ledger as that, and is not matched with anything else.
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
        if old.match_id is null and new.match_id is not null then
          if exists (select from closings where day = old.booked_on and reopened_at is null
              and (old.id = any(own_funds) or old.is_charge and old.id = any(charges))) then
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

-- What is money of our own is no transfer, no payout that came back, and nothing that the bank took back. Both are written under the lock of the
-- account, by the previous release, too.
create function is_own_funds(line bigint) returns boolean language sql stable as $$
  select case when is_closed(booked_on)
    then exists (select from closings where day = booked_on and reopened_at is null and line = any(own_funds))
    else exists (select from explanations where day = booked_on and item = 'line:' || line and is_own) end
  from lines where id = line
$$;
create function refuse_own_and_offered() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'offers' then
    if is_own_funds(new.line_id) then
      raise exception 'the line % is money of our own', new.line_id using errcode = 'insufficient_privilege';
    end if;
  elsif new.is_own then
    if exists (select from offers where line_id = substring(new.item from '^line:([0-9]+)$')::bigint) then
      raise exception 'the % is offered or claimed', new.item using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;
create trigger offers_are_not_own before insert on offers for each row execute function refuse_own_and_offered();
create trigger own_is_not_offered before insert or update on explanations for each row execute function refuse_own_and_offered();

-- What the ledger has of it, as it was read last.
create table booked_own_funds (
  day date not null,
  account text not null,
  total bigint not null,
  primary key (day, account)
);
grant select, insert, update, delete on booked_own_funds to collect_statements;
