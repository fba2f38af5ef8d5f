-- Each status is walked by itself, so that a rare one is found without reading the others. Alone in its migration, so that it
-- can be made while the table is written to.
create index concurrently sessions_merchant_id_mode_status_created_at_reference_idx
  on sessions (merchant_id, mode, status, created_at desc, reference desc);
