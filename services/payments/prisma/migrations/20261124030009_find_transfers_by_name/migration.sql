-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently transfers_by_name on transfers (merchant_id, mode, lower(account_name collate "pg_c_utf8"))
  where not name_withheld;
