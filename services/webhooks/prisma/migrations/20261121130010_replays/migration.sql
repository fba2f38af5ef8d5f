-- A range of the event log on its way to the present URL again.
create table replays (
  id text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  from_sequence bigint not null check (from_sequence > 0),
  to_sequence bigint not null,
  only_undelivered boolean not null,
  at_sequence bigint not null,
  replayed bigint not null default 0,
  status text not null default 'running' check (status in ('running', 'done', 'cancelled')),
  created_at timestamptz(3) not null default clock_timestamp(),
  moved_at timestamptz(3) not null default clock_timestamp(),
  check (from_sequence <= to_sequence),
  check (at_sequence between from_sequence - 1 and to_sequence),
  check (status <> 'done' or at_sequence = to_sequence)
);
-- One at a time of a merchant and mode, and what the worker looks for.
create unique index replays_running on replays (merchant_id, mode) where status = 'running';
create index replays_merchant_id_mode_created_at_idx on replays (merchant_id, mode, created_at);

grant select, insert, update on replays to collect_webhooks;
