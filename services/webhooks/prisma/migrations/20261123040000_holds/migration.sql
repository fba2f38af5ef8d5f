-- The endpoints whose deliveries are held: one that has no row gets its events at once.
create table holds (
  merchant_id   text not null,
  mode          text not null check (mode in ('test', 'live')),
  -- held: probed with the oldest event. releasing: what was held goes out, batch after batch. paused: nothing is sent.
  state         text not null check (state in ('held', 'releasing', 'paused')),
  since         timestamptz(3) not null default clock_timestamp(),
  -- Of the first hold or pause in a row: what was given up since then is sent again.
  began_at      timestamptz(3) not null default clock_timestamp(),
  -- Deliveries of the next batch; a probe is a batch of one.
  batch_size    integer not null default 1 check (batch_size between 1 and 256),
  -- Probes that failed in a row.
  probes        integer not null default 0 check (probes >= 0),
  -- Counts the batches: only the process that claimed the last one finishes it.
  batch         bigint not null default 0,
  -- When the next batch is due, or the lease of the process that claimed one ends.
  next_batch_at timestamptz(3) not null,
  finished_at   timestamptz(3) not null default clock_timestamp(),
  -- Acknowledged deliveries per second; null until it was measured.
  rate          double precision,
  -- How much time it was measured over, of which the older part counts less.
  rate_over_ms  double precision not null default 0,
  primary key (merchant_id, mode),
  constraint a_probe_is_a_batch_of_one check (state <> 'held' or batch_size = 1)
);
create index holds_due on holds (mode, next_batch_at) where state <> 'paused';
grant select, insert, update, delete on holds to collect_webhooks;
