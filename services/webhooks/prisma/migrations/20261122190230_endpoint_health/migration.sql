-- Whether a live endpoint acknowledges events, as its team was last notified of it. A row per endpoint that has ever failed.
create table endpoint_health (
  merchant_id     text not null,
  mode            text not null check (mode = 'live'),
  -- Counts the changes: only the one who knows the last makes the next.
  change          integer not null check (change > 0),
  state           text not null check (state in ('failing', 'recovered', 'removed')),
  -- The delivery that showed the failure.
  delivery_number bigint not null,
  host            text not null,
  failure         text,
  changed_at      timestamptz(3) not null,
  -- When the dashboard acknowledged the change. A removed URL is not announced.
  acknowledged_at timestamptz(3),
  primary key (merchant_id, mode),
  constraint a_failure_has_a_cause check ((state = 'failing') = (failure is not null))
);
create index endpoint_health_failing on endpoint_health (merchant_id, mode) where state = 'failing';
create index endpoint_health_unacknowledged on endpoint_health (changed_at) where acknowledged_at is null;
grant select, insert, update on endpoint_health to collect_webhooks;
