-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_merchant_id_mode_amount_created_at_reference_idx
  on sessions (merchant_id, mode, amount, created_at desc, reference desc);
