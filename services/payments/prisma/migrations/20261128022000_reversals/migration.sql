-- What banks took back of collections, and how much of a collection or of a session's money that is. A session's status stays: it says
-- what happened to it. The previous release reads none of this, and writes none.
create table reversals (
  -- Its intake id.
  reversal_id text primary key,
  reference text not null unique,
  -- The collection's.
  intake_id text not null references collections (intake_id),
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee between 0 and amount),
  net bigint not null,
  -- How much of the collection had been taken back before.
  reversed_before bigint not null check (reversed_before >= 0),
  -- As the event says it, whatever the collection is attached to later.
  payment_reference text,
  merchant_reference text,
  customer_reference text,
  -- The bank's clock, accounts', the ledger's and ours.
  reversed_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  posted_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  stored_at timestamptz(6) not null default clock_timestamp(),
  -- What the bank calls it, for accounts after a restore.
  source jsonb not null,
  check (net = amount - fee)
);
create unique index reversals_intake_id_reversed_before_key on reversals (intake_id, reversed_before);
create index reversals_stored_at_reversal_id_idx on reversals (stored_at, reversal_id);

alter table collections add column amount_reversed bigint not null default 0;
alter table collections add constraint collections_reversed_a_part check (amount_reversed between 0 and amount) not valid;
alter table sessions add column amount_reversed bigint not null default 0;
alter table sessions add constraint sessions_reversed_a_part check (amount_reversed between 0 and amount_received) not valid;

grant select, insert on reversals to collect_payments;
grant update (amount_reversed) on collections to collect_payments;
grant update (amount_reversed) on sessions to collect_payments;
