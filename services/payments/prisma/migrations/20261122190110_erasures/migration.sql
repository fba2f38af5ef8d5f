-- Copies of the erasures that accounts runs, and the collections that each erased: a restored accounts repeats them from here.
create table erasure_copies (
  id text primary key,
  copy jsonb not null,
  kept_at timestamptz(6) not null default clock_timestamp()
);
create index erasure_copies_kept_at_id_idx on erasure_copies (kept_at, id);

create table erased_collections (
  erasure_id text not null,
  intake_id text not null,
  primary key (erasure_id, intake_id)
);

grant select, insert, update on erasure_copies to collect_payments;
grant select, insert on erased_collections to collect_payments;

-- What an erasure replaces. A payer whose collections are all erased is deleted.
grant update (customer_name, payer_id, source) on collections to collect_payments;
grant update (customer_name, description, redirect_url) on sessions to collect_payments;
grant delete on payers to collect_payments;

-- What was quoted stays as it was, but for the name of an erased customer in the account's.
create or replace trigger sessions_keep_quote before update on sessions
  for each row when (old.account_number is not null
    and (old.amount, old.account_number, old.bank_name, old.account_name)
      is distinct from (new.amount, new.account_number, new.bank_name,
        case when new.account_name = 'Erased' then old.account_name else new.account_name end))
  execute function refuse_another_quote();
