-- Whole, where transfers_shown_idx is partial, so that a list by status has an index of its own: IS_SHOWN in
-- src/store/transfers.ts says why. Alone in its migration, so that it can be made while the table is written to.
create index concurrently transfers_merchant_id_mode_status_created_at_reference_idx
  on transfers (merchant_id, mode, status, created_at desc, reference desc);
