-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently transfers_by_second_word on transfers (merchant_id, mode, (words_from(account_name, 2) collate "pg_c_utf8"))
  where words_from(account_name, 2) collate "pg_c_utf8" <> '' and not name_withheld;
