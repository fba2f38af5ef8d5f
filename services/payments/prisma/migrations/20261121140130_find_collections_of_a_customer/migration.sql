-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently collections_of_customer_idx on collections (customer_reference, merchant_id, mode, paid_at desc, intake_id desc)
  where customer_reference is not null;
