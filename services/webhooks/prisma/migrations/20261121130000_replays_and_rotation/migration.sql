-- The next signing secret, and when it takes over by itself: judged by this database's clock whenever a secret is read.
alter table endpoints
  add column staged_secret text,
  add column activates_at timestamptz(3),
  -- A delivery that was acknowledged and is sent again is not `delivered` for a while: this remembers that one was.
  add column acknowledged_before boolean not null default false,
  add constraint endpoints_staged_check check ((staged_secret is null) = (activates_at is null));

-- A test event is about no money.
alter table events drop constraint events_amount_kobo_check;
alter table events add constraint events_amount_kobo_check check (amount_kobo > 0 or (kind = 'webhook.test' and amount_kobo = 0));
create index events_merchant_id_mode_reference_idx on events (merchant_id, mode, reference);
create index events_merchant_id_mode_kind_sequence_idx on events (merchant_id, mode, kind, sequence);

alter table deliveries
  -- Of the event, so that a page of one kind is a range of an index. Empty where the previous release wrote it beside this one.
  add column kind text not null default '',
  -- Attempts that belong to earlier rounds of the schedule: a replay begins a new one.
  add column attempts_before integer not null default 0,
  -- Whether next_attempt_at is the end of a lease: somebody is sending it.
  add column claimed boolean not null default false,
  add column created_at timestamptz(3);
alter table deliveries alter column created_at set default clock_timestamp();
-- What is there gets the time of its event; the few that were made later, for another URL, are dated too early by that.
update deliveries d set kind = e.kind, created_at = e.created_at from events e
  where (e.merchant_id, e.mode, e.sequence) = (d.merchant_id, d.mode, d.sequence);
create index deliveries_merchant_id_mode_kind_status_number_idx on deliveries (merchant_id, mode, kind, status, number);
create index deliveries_failing on deliveries (merchant_id, mode, kind, number) where status = 'pending' and attempts > attempts_before;

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

grant select, insert, update on endpoints, deliveries, replays to collect_webhooks;
