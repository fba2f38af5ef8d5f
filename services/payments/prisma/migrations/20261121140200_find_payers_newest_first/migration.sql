-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payers_merchant_id_mode_id_idx on payers (merchant_id, mode, id desc);
