-- What was posted on another day in Lagos than it counts on, for the comparison with the bank: an insert of any other writes nothing. An entry is
-- recorded a moment after its transaction, so that the last minute of a day is here, too.
create index concurrently transactions_posted_on_another_day on transactions (mode, posted_at)
  where date_bin('1 day', coalesce(received_at, counted_at), '2000-01-01 00:00+01') <> date_bin('1 day', posted_at, '2000-01-01 00:00+01')
    or date_bin('1 day', posted_at, '2000-01-01 23:59+01') > date_bin('1 day', posted_at, '2000-01-01 00:00+01');
