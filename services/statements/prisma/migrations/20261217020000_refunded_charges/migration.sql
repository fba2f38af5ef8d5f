-- A reason may say of a line that reached the account that the bank gave a charge back: its `charge` is the line's amount. The previous release has
-- none of a line, and a day is not closed with such a reason by it.
alter table explanations add constraint explanations_refund_check
  check (item not like 'line:%' or charge is null or charge = amount and amount > 0 and not is_own) not valid;

-- Such a line is ours, as one of our own funds is, and nothing else: `own_funds` of a closing has both.
create or replace function is_own_funds(line bigint) returns boolean language sql stable as $$
  select case when is_closed(booked_on)
    then exists (select from closings where day = booked_on and reopened_at is null and line = any(own_funds))
    else exists (select from explanations where day = booked_on and item = 'line:' || line and (is_own or charge is not null)) end
  from lines where id = line
$$;
create or replace function refuse_own_and_offered() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'offers' then
    if is_own_funds(new.line_id) then
      raise exception 'the line % is money of our own', new.line_id using errcode = 'insufficient_privilege';
    end if;
  elsif new.is_own or new.charge is not null then
    if exists (select from offers where line_id = substring(new.item from '^line:([0-9]+)$')::bigint) then
      raise exception 'the % is offered or claimed', new.item using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;
