-- A pending delivery without a time is held: the poller does not see it. What is there fits the check that this one takes the place of.
alter table deliveries
  drop constraint deliveries_check,
  add constraint deliveries_check check (status = 'pending' or next_attempt_at is null) not valid;
