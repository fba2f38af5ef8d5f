-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payment_links_by_title on payment_links (merchant_id, mode, lower(title collate "pg_c_utf8"))
  where title is not null;
