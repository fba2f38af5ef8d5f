-- Alone in its migration, as those that follow, so that it can be made while the table is written to.
create index concurrently quarantined_transfers_merchant_id_mode_idx on quarantined_transfers (merchant_id, mode);
