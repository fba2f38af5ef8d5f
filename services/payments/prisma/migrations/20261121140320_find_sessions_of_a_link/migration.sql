-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_of_link_idx on sessions (payment_link, status, created_at desc, reference desc)
  where payment_link is not null;
