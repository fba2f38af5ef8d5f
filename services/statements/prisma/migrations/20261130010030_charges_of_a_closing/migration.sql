-- The lines of the bank's charges that a day was closed with as one item of each account.
alter table closings add column charges bigint[] default '{}';

create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if old.reopened_at is not null or (new.day, new.sheet, new.charges, new.closed_by, new.closed_at) is distinct from
      (old.day, old.sheet, old.charges, old.closed_by, old.closed_at) then
    raise exception 'a closing is only undone, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
