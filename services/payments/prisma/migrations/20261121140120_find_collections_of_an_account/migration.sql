-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently collections_account_number_paid_at_idx on collections (account_number, paid_at desc);
