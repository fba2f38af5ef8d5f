create table endpoints (
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  url text,
  secret text not null,
  version bigint not null default 1,
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, mode)
);

-- Its row is the lock under which the events of a merchant and mode are numbered.
create table counters (
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  sequence bigint not null default 0 check (sequence >= 0),
  primary key (merchant_id, mode)
) with (fillfactor = 50);

create table events (
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  sequence bigint not null check (sequence > 0),
  key text not null,
  kind text not null,
  reference text not null,
  amount_kobo bigint not null check (amount_kobo > 0),
  body bytea not null,
  delivery_number bigint,
  created_at timestamptz(3) not null,
  primary key (merchant_id, mode, sequence)
);
create unique index events_key_key on events (key);

-- Made in one statement with their events, and nothing may be deleted: a foreign key would only lock each event's row once more.
create table deliveries (
  number bigserial primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  sequence bigint not null,
  url text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted', 'superseded')),
  attempts integer not null default 0,
  last_status integer,
  next_attempt_at timestamptz(3),
  check ((status = 'pending') = (next_attempt_at is not null))
);
create unique index deliveries_merchant_id_mode_sequence_url_key on deliveries (merchant_id, mode, sequence, url);
-- What the poller walks: merchant by merchant, the longest due first.
create index deliveries_pending on deliveries (merchant_id, mode, next_attempt_at) where status = 'pending';
-- Every row is updated once at least; the walk over pending ones should not meet many dead ones.
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

create table attempts (
  delivery_number bigint not null,
  attempt integer not null check (attempt > 0),
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  status integer,
  error text,
  response text,
  primary key (delivery_number, attempt),
  check (status is not null or error is not null)
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

-- What happened cannot be changed: events and attempts are only ever added.
grant select, insert, update on endpoints, counters, deliveries to collect_webhooks;
grant select, insert on events, attempts to collect_webhooks;
grant usage on sequence deliveries_number_seq to collect_webhooks;
grant select, insert, update, delete on dead_letters to collect_webhooks;
