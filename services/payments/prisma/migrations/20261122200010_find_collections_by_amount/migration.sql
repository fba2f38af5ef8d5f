-- Alone in its migration, so that it can be made while the table is written to.
-- Merchants look for a transfer by its exact amount, kobo included.
create index concurrently collections_amount_idx on collections (merchant_id, mode, amount, paid_at desc, intake_id desc);
