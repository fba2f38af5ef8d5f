-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently deliveries_merchant_id_mode_created_at_number_idx on deliveries (merchant_id, mode, created_at, number);
