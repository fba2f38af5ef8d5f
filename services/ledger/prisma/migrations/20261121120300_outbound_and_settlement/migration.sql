-- Money that leaves, money that becomes the merchant's, and the audit. Every addition is one the previous release can live
-- beside: it writes the old kinds, no received_at, and none of the new tables.

-- Validated in a migration of its own, which reads the table without keeping anybody out.
alter table transactions drop constraint transactions_kind_check;
alter table transactions add constraint transactions_kind_check check (kind in (
  'collection', 'suspense', 'allocation', 'settlement',
  'reserve', 'payout', 'return', 'reversal', 'late_payout', 'late_reversal'
)) not valid;

-- When the money of a collection, a suspense or an allocation was received, as accounts decided it: what the services are
-- compared by. Rows come nearly in this order, so a few bytes for every 32 pages find a minute.
alter table transactions add column received_at timestamptz(6);
create index transactions_received_at_idx on transactions using brin (received_at)
  with (pages_per_range = 32, autosummarize = on) where received_at is not null;

-- What we owe a merchant as settled, or hold for its transfers, never turns into what it owes us, whoever asks for it. A
-- check constraint cannot say so: it would refuse the change that an upsert proposes, not the balance that comes of it.
create function refuse_overdraft() returns trigger language plpgsql as $$
begin
  raise exception '% does not hold that much', new.id using errcode = 'check_violation';
end $$;
create trigger ledger_accounts_hold after insert or update on ledger_accounts
  for each row when (new.kind in ('settled', 'payouts') and new.balance > 0) execute function refuse_overdraft();

-- Whether a transfer's amount could be held, decided once.
create table transfer_reserves (
  transfer_id text collate "C" primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  amount bigint not null check (amount > 0),
  reserved boolean not null,
  decided_at timestamptz(6) not null default clock_timestamp()
);

-- Which end of a transfer was told first: everything told later is understood by it.
create table transfer_ends (
  transfer_id text collate "C" primary key,
  first_end text not null check (first_end in ('success', 'failed')),
  told_at timestamptz(6) not null default clock_timestamp()
);

-- What became the merchant's: the entries of its Collected after from_version and up to to_version, settlements left out.
create table settlements (
  reference text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  cut_off timestamptz(6) not null,
  from_version bigint not null check (from_version >= 0),
  to_version bigint not null check (to_version > from_version),
  -- The version of the settlement's own entry on Collected.
  entry_version bigint not null check (entry_version > to_version),
  amount bigint not null check (amount > 0),
  transaction_id bigint not null,
  created_at timestamptz(6) not null default clock_timestamp()
);
create unique index settlements_merchant_id_mode_cut_off_key on settlements (merchant_id, mode, cut_off);
create unique index settlements_merchant_id_mode_entry_version_key on settlements (merchant_id, mode, entry_version);

create trigger transfer_reserves_stay before update or delete or truncate on transfer_reserves
  for each statement execute function refuse_change();
create trigger transfer_ends_stay before update or delete or truncate on transfer_ends
  for each statement execute function refuse_change();
create trigger settlements_stay before update or delete or truncate on settlements
  for each statement execute function refuse_change();

create table settlement_schedules (
  merchant_id text primary key,
  delay_days smallint not null check (delay_days between 1 and 30),
  -- Of the day in Lagos.
  at_minutes smallint not null check (at_minutes between 0 and 1439),
  changed_at timestamptz(6) not null default clock_timestamp()
);
create index settlement_schedules_delay_days_at_minutes_changed_at_idx
  on settlement_schedules (delay_days, at_minutes, changed_at);

-- How far the self-audit is: one row, worked on by whichever replica holds its lock.
create table audit_progress (
  id smallint primary key default 1 check (id = 1),
  -- What this round is going through, and the last of each that it has proven.
  stage text not null default 'entries' check (stage in ('entries', 'transactions', 'ledger_accounts')),
  account_id text collate "C" not null default '',
  account_version bigint not null default 0,
  transaction_id bigint not null default 0,
  ledger_account_id text collate "C" not null default '',
  -- Entries.
  this_round bigint not null default 0,
  last_round bigint not null default 0,
  last_round_at timestamptz(6),
  proven_at timestamptz(6),
  modes jsonb not null default '[]',
  -- What did not hold in this round so far, and in the last.
  differences jsonb not null default '[]',
  last_differences jsonb not null default '[]'
);
insert into audit_progress default values;

grant select, insert on transfer_reserves, transfer_ends, settlements to collect_ledger;
grant select, insert, update on settlement_schedules, fee_schedules to collect_ledger;
grant select, update on audit_progress to collect_ledger;
