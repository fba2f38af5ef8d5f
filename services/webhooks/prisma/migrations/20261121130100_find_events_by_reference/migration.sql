-- Alone in its migration, as each of the following, so that it can be made while the table is written to.
create index concurrently events_merchant_id_mode_reference_idx on events (merchant_id, mode, reference);
