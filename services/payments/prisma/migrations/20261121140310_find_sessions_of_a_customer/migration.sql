-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_of_customer_idx on sessions (customer_reference, merchant_id, mode, status, created_at desc, reference desc)
  where customer_reference is not null;
