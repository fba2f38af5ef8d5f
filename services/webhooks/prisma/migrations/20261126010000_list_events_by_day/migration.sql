-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently events_merchant_id_mode_created_at_sequence_idx on events (merchant_id, mode, created_at, sequence);
