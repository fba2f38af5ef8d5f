-- By the second word of a name: surnames. Alone in its migration, so that it can be made while the table is written to.
create index concurrently customer_accounts_by_second_word on customer_accounts (merchant_id, mode, (words_from(customer_name, 2) collate "pg_c_utf8"))
  where words_from(customer_name, 2) collate "pg_c_utf8" <> '' and account_number is not null;
