-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payers_by_third_word on payers (merchant_id, mode, (words_from(name, 3) collate "pg_c_utf8"))
  where words_from(name, 3) collate "pg_c_utf8" <> '';
