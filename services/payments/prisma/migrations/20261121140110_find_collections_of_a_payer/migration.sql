-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently collections_payer_id_paid_at_idx on collections (payer_id, paid_at desc);
