-- When payments last kept a copy of the account as it stands: null while it has none, or an older one. The previous release
-- leaves it null, and a retirement that it stores is copied by the trigger.
alter table customer_accounts add column copied_at timestamptz(3);
alter table collection_accounts add column copied_at timestamptz(3);

create function copy_again() returns trigger language plpgsql as $$
begin
  new.copied_at := null;
  return new;
end $$;
create trigger customer_accounts_changed before update on customer_accounts for each row
  when ((old.status, old.account_number) is distinct from (new.status, new.account_number)) execute function copy_again();
