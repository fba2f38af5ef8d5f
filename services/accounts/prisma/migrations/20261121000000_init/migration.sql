-- accounts owns customer accounts and the intake of money. The service runs as collect_accounts.

create table customer_accounts (
  id text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  customer_reference text not null,
  customer_name text not null,
  account_number text,
  account_name text not null,
  bank_name text not null,
  issue_request_id text not null,
  status text not null default 'pending' check (status in ('pending', 'active', 'retired')),
  created_at timestamptz(3) not null default clock_timestamp(),
  retired_at timestamptz(3),
  check ((status = 'pending') = (account_number is null)),
  check ((status = 'retired') = (retired_at is not null))
);
create unique index customer_accounts_issue_request_id_key on customer_accounts (issue_request_id);
create unique index customer_accounts_merchant_id_mode_customer_reference_key on customer_accounts (merchant_id, mode, customer_reference);
create unique index customer_accounts_mode_account_number_key on customer_accounts (mode, account_number);
create index customer_accounts_merchant_id_mode_created_at_id_idx on customer_accounts (merchant_id, mode, created_at desc, id desc);

-- Serials of the local test bank's account numbers.
create sequence test_account_serial minvalue 1 maxvalue 999999999;

create table inbound_transfers (
  intake_id text not null,
  bank text not null,
  mode text not null check (mode in ('test', 'live')),
  bank_transfer_id text not null,
  account_number text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency = 'NGN'),
  payer_name text not null,
  payer_account_number text,
  payer_bank_name text,
  narration text,
  paid_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  merchant_id text,
  customer_reference text,
  customer_name text,
  account_retired boolean not null default false,
  allocated_at timestamptz(3),
  drives integer not null default 0,
  drive_at timestamptz(3) not null,
  completed_at timestamptz(3),
  reference text,
  sequence bigint,
  delivery_number bigint,
  primary key (bank, mode, bank_transfer_id),
  check (merchant_id is not null or (customer_reference is null and allocated_at is null and reference is null))
);
create unique index inbound_transfers_intake_id_key on inbound_transfers (intake_id);
create index inbound_transfers_received_at_intake_id_idx on inbound_transfers (received_at, intake_id);
-- What the sweep looks through: as small as what is unfinished.
create index inbound_transfers_unfinished on inbound_transfers (drive_at) where completed_at is null;
create index inbound_transfers_unallocated on inbound_transfers (received_at) where merchant_id is null;

create table quarantined_transfers (
  bank text not null,
  mode text not null check (mode in ('test', 'live')),
  bank_transfer_id text not null,
  account_number text not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  times integer not null default 1,
  received_at timestamptz(3) not null,
  primary key (bank, mode, bank_transfer_id, account_number, amount, currency)
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

-- What the bank said is never changed; an update may only give an owner, drive, or complete.
create function keep_what_the_bank_said() returns trigger language plpgsql as $$
begin
  raise exception 'an inbound transfer cannot be deleted, nor what the bank said of it changed' using errcode = 'restrict_violation';
end $$;
create trigger inbound_transfers_facts before update on inbound_transfers for each row
  when ((old.intake_id, old.bank, old.mode, old.bank_transfer_id, old.account_number, old.amount, old.currency, old.payer_name, old.paid_at, old.received_at)
    is distinct from (new.intake_id, new.bank, new.mode, new.bank_transfer_id, new.account_number, new.amount, new.currency, new.payer_name, new.paid_at, new.received_at)
    or (old.merchant_id is not null and old.merchant_id is distinct from new.merchant_id))
  execute function keep_what_the_bank_said();
create trigger inbound_transfers_history before delete or truncate on inbound_transfers for each statement execute function keep_what_the_bank_said();

grant usage on schema public to collect_accounts;
grant select, insert, update on customer_accounts to collect_accounts;
grant select, insert, update on inbound_transfers to collect_accounts;
grant select, insert, update on quarantined_transfers to collect_accounts;
grant select, insert, update, delete on dead_letters to collect_accounts;
grant usage on sequence test_account_serial to collect_accounts;
