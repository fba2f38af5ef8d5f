-- A session that a public key created has no account and no kobo suffix until its payer's details are given: a public key
-- is published, and could otherwise take every slot of a price. The previous release goes on assigning them at once.

alter table sessions alter column account_number drop not null, alter column account_name drop not null,
  alter column bank_name drop not null;
-- When the account was assigned, if that was after the session was created.
alter table sessions add column quoted_at timestamptz(3), add column client_nonce text;

alter table sessions drop constraint sessions_check;
alter table sessions add constraint sessions_quote_check check (
  case when account_number is null
    then amount = amount_requested and details_required and opened_by = 'public_key' and not slot_held
      and account_name is null and bank_name is null and quoted_at is null and status in ('pending', 'expired')
    else amount between amount_requested + 1 and amount_requested + 99 and account_name is not null and bank_name is not null
      and (quoted_at is null or quoted_at >= created_at)
  end) not valid;

grant update (amount, account_number, account_name, bank_name, quoted_at) on sessions to collect_payments;

-- What was quoted to a payer stays as it was.
create function refuse_another_quote() returns trigger language plpgsql as $$
begin
  raise exception 'session % was quoted already', old.reference;
end $$;
create trigger sessions_keep_quote before update on sessions
  for each row when (old.account_number is not null
    and (old.amount, old.account_number, old.account_name, old.bank_name)
      is distinct from (new.amount, new.account_number, new.account_name, new.bank_name))
  execute function refuse_another_quote();
