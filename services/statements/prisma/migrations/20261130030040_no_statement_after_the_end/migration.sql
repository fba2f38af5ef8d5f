-- An ended account takes no statement, also from the release before, which does not know that accounts end.
create function refuse_after_the_end() returns trigger language plpgsql as $$
begin
  if exists (select from bank_accounts where number = new.account and last_on is not null) then
    raise exception 'the account % has ended', new.account using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger statements_before_the_end before insert on statements for each row execute function refuse_after_the_end();
