-- By the second word of a name: surnames. New payers write it, their further collections do not. Alone in its migration, so that it
-- can be made while the table is written to.
create index concurrently payers_by_second_word on payers (merchant_id, mode, (words_from(name, 2) collate "pg_c_utf8"))
  where words_from(name, 2) collate "pg_c_utf8" <> '';
