alter table deliveries
  -- Of the event, so that a page of one kind is a range of an index. Empty where the previous release wrote it beside this one.
  add column kind text not null default '',
  -- Attempts that belong to earlier rounds of the schedule: a replay begins a new one.
  add column attempts_before integer not null default 0,
  -- Whether next_attempt_at is the end of a lease: somebody is sending it.
  add column claimed boolean not null default false,
  add column created_at timestamptz(3);
alter table deliveries alter column created_at set default clock_timestamp();
