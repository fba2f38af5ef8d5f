-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_by_payer_name on sessions (merchant_id, mode, lower(payer_name collate "pg_c_utf8"))
  where payer_name is not null;
