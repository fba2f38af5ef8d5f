-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payment_links_by_third_word on payment_links (merchant_id, mode, (words_from(title, 3) collate "pg_c_utf8"))
  where words_from(title, 3) collate "pg_c_utf8" <> '';
