-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payment_links_by_second_word on payment_links (merchant_id, mode, (words_from(title, 2) collate "pg_c_utf8"))
  where words_from(title, 2) collate "pg_c_utf8" <> '';
