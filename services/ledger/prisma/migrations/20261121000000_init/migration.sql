-- Append-only double entry in kobo. A debit is positive: bank +gross, collected −net, fees −fee, suspense −gross.
-- What has been posted stays as it is: corrections are new transactions.

-- The natural id says everything: {mode}:{kind}:{merchant or stripe}. Ids compare as bytes whatever the server's locale.
-- One row is updated by every batch that touches it, so pages keep room for the next version beside the last.
create table ledger_accounts (
  id text collate "C" primary key,
  kind text not null check (kind in ('bank', 'fees', 'suspense', 'collected', 'settled', 'payouts')),
  mode text not null check (mode in ('test', 'live')),
  merchant_id text,
  stripe smallint,
  balance bigint not null,
  version bigint not null check (version > 0),
  check (num_nonnulls(merchant_id, stripe) = 1),
  check (id = mode || ':' || kind || ':' || coalesce(merchant_id, stripe::text))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table transactions (
  id bigint generated always as identity primary key,
  key text collate "C" not null,
  kind text not null check (kind in ('collection', 'suspense', 'allocation')),
  mode text not null check (mode in ('test', 'live')),
  merchant_id text,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee between 0 and amount),
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  -- The bank's time, and ours.
  occurred_at timestamptz(6) not null,
  posted_at timestamptz(6) not null default clock_timestamp()
);
create unique index transactions_key_key on transactions (key);

-- Neither column has a foreign key: the triggers below prove both, for a whole batch at once.
create table entries (
  account_id text collate "C" not null,
  account_version bigint not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  transaction_id bigint not null,
  -- Taken under the account's lock, so that it rises with the version; now() and ids do not.
  recorded_at timestamptz(6) not null default clock_timestamp(),
  primary key (account_id, account_version)
);
create index entries_transaction_id_idx on entries (transaction_id);

create table fee_schedules (
  merchant_id text primary key,
  basis_points integer not null check (basis_points between 0 and 10000)
);

create table dead_letters (
  consumer text not null,
  natural_key text not null,
  subject text not null,
  fact text not null,
  error text not null,
  times integer not null default 1,
  first_at timestamptz(3) not null default clock_timestamp(),
  last_at timestamptz(3) not null default clock_timestamp(),
  primary key (consumer, natural_key)
);

-- The triggers see the whole statement. Every look into a table is a subquery for one row, and sequential scans are off:
-- plans are kept for the life of a connection, and one that was made while the tables were empty must stay right.

create function refuse_unbalanced() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  wrong text;
begin
  select key into wrong
  from posted cross join lateral (
    select count(*) as legs, sum(amount) as sum, bool_and(starts_with(account_id, posted.mode || ':')) as in_mode
    from entries where transaction_id = posted.id
  ) as proof
  where legs < 2 or sum <> 0 or not in_mode
  limit 1;
  if found then
    raise exception 'transaction % does not balance: it needs two entries or more, of one mode, with the sum zero', wrong
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger transactions_balance after insert on transactions
  referencing new table as posted for each statement execute function refuse_unbalanced();

create function refuse_loose_entries() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  wrong text;
begin
  select transaction_id into wrong
  from (select transaction_id, count(*) as legs from written group by transaction_id) as touched
  where legs <> (select count(*) from entries where transaction_id = touched.transaction_id)
     or (select id from transactions where id = touched.transaction_id) is null
  limit 1;
  if found then
    raise exception 'entries can only join a transaction of their own statement, not %', wrong
      using errcode = 'check_violation';
  end if;

  select account_id into wrong
  from (
    select account_id, account_version, amount, balance_after,
      lag(balance_after) over chain as balance_before,
      lag(account_version) over chain as version_before,
      lead(account_version) over chain as version_after
    from written window chain as (partition by account_id order by account_version)
  ) as link
  where case
    when version_before is not null then
      (account_version, balance_after) <> (version_before + 1, balance_before + amount)
    when account_version = 1 then balance_after <> amount
    else (
      select balance_after from entries as e
      where e.account_id = link.account_id and e.account_version = link.account_version - 1
    ) is distinct from balance_after - amount
  end
  or version_after is null and (
    select (a.version, a.balance) = (account_version, balance_after) from ledger_accounts as a where a.id = link.account_id
  ) is not true
  limit 1;
  if found then
    raise exception 'the entries of % do not continue its chain up to its balance', wrong
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger entries_chain after insert on entries
  referencing new table as written for each statement execute function refuse_loose_entries();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: what is posted stays as it is', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end $$;

create trigger transactions_stay before update or delete or truncate on transactions
  for each statement execute function refuse_change();
create trigger entries_stay before update or delete or truncate on entries
  for each statement execute function refuse_change();

grant select, insert on transactions, entries to collect_ledger;
grant select, insert, update (balance, version) on ledger_accounts to collect_ledger;
grant select on fee_schedules to collect_ledger;
grant select, insert, update, delete on dead_letters to collect_ledger;
