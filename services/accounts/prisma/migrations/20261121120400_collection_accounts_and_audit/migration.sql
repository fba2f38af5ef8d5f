-- Accounts of the merchants themselves, and the comparison of what the services hold. The previous release knows none of
-- these tables: money for a collection account that it takes in stands in suspense.

create table collection_accounts (
  id text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  position integer not null check (position > 0),
  account_number text,
  account_name text not null,
  bank_name text not null,
  issue_request_id text not null,
  status text not null default 'pending' check (status in ('pending', 'active')),
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((status = 'pending') = (account_number is null))
);
create unique index collection_accounts_merchant_id_mode_position_key on collection_accounts (merchant_id, mode, position);
create unique index collection_accounts_mode_account_number_key on collection_accounts (mode, account_number);
create unique index collection_accounts_issue_request_id_key on collection_accounts (issue_request_id);

-- An account number has one owner over both tables, also when both get it at once: whoever comes second waits for the
-- first, and then sees it.
create function keep_account_numbers_apart() returns trigger language plpgsql as $$
declare taken boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.mode || ' ' || new.account_number, 0));
  if tg_table_name = 'customer_accounts' then
    taken := exists (select from collection_accounts where mode = new.mode and account_number = new.account_number);
  else
    taken := exists (select from customer_accounts where mode = new.mode and account_number = new.account_number);
  end if;
  if taken then
    raise exception 'the account number belongs to another account' using errcode = 'unique_violation';
  end if;
  return new;
end $$;
create trigger customer_accounts_number before insert or update of account_number on customer_accounts
  for each row when (new.account_number is not null) execute function keep_account_numbers_apart();
create trigger collection_accounts_number before insert or update of account_number on collection_accounts
  for each row when (new.account_number is not null) execute function keep_account_numbers_apart();

-- The last comparison of the services: one row. No lock is held while they are asked, so a round is claimed by next_at.
create table audit_proofs (
  id smallint primary key default 1 check (id = 1),
  next_at timestamptz(3) not null default clock_timestamp(),
  proven_at timestamptz(3),
  proven_from timestamptz(3),
  proven_to timestamptz(3),
  -- What each service held in those of the minutes in which money came.
  compared jsonb not null default '[]',
  -- Money received before then is compared with nobody: the other services did not write down when it was received.
  began_at timestamptz(3),
  -- The walk round the whole history goes backwards: it has come down to here.
  walked_to timestamptz(3)
);
-- An hour is left for the others to be upgraded too. Where no money came yet, all of it is compared.
insert into audit_proofs (began_at)
  select date_trunc('hour', now(), 'UTC') + interval '2 hours' from inbound_transfers limit 1;
insert into audit_proofs default values on conflict do nothing;

-- The minutes in which a service held more or less than accounts took in, when they were last compared.
create table audit_differences (
  minute timestamptz(3) not null,
  mode text not null check (mode in ('test', 'live')),
  kind text not null check (kind in ('collection', 'suspense')),
  -- Count and sum (kobo in digits) of each service.
  held jsonb not null,
  compared_at timestamptz(3) not null default clock_timestamp(),
  primary key (minute, mode, kind)
);

grant select, insert, update on collection_accounts to collect_accounts;
grant select, update on audit_proofs to collect_accounts;
grant select, insert, update, delete on audit_differences to collect_accounts;
