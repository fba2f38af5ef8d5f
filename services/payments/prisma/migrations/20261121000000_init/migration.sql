-- payments owns collections and payers. The service runs as collect_payments.

create table payers (
  id bigserial primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  -- Empty where the bank said nothing, so that the key holds.
  bank_name text not null,
  account_number text not null,
  name text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index payers_merchant_id_mode_bank_name_account_number_name_key on payers (merchant_id, mode, bank_name, account_number, name);

create table collections (
  intake_id text primary key,
  reference text not null,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  account_number text not null,
  customer_reference text,
  customer_name text,
  payer_id bigint not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  net bigint not null check (net >= 0),
  currency text not null check (currency = 'NGN'),
  payment_reference text,
  merchant_reference text,
  paid_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  posted_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  check (amount = fee + net),
  constraint collections_payer_id_fkey foreign key (payer_id) references payers (id)
);
create unique index collections_reference_key on collections (reference);
create index collections_merchant_id_mode_created_at_intake_id_idx on collections (merchant_id, mode, created_at desc, intake_id desc);

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

grant usage on schema public to collect_payments;
grant select, insert on payers to collect_payments;
grant usage on sequence payers_id_seq to collect_payments;
grant select, insert on collections to collect_payments;
grant select, insert, update, delete on dead_letters to collect_payments;
