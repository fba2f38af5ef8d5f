-- An account that takes the place of one that has ended has the same bank, and may pay out. Both indexes are of a few rows.
drop index bank_accounts_bank_key;
create unique index bank_accounts_bank_key on bank_accounts (bank) where last_on is null;
drop index bank_accounts_pays_out_key;
create unique index bank_accounts_pays_out_key on bank_accounts (pays_out) where pays_out and last_on is null;

-- Also by the release before, which does not know that accounts end.
create function refuse_after_the_end() returns trigger language plpgsql as $$
begin
  if exists (select from bank_accounts where number = new.account and last_on is not null) then
    raise exception 'the account % has ended', new.account using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger statements_before_the_end before insert on statements for each row execute function refuse_after_the_end();
