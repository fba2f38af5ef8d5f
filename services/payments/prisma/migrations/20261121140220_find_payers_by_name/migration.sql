-- In the order of their bytes, and in lower case after Unicode, whatever the server's locale. Alone in its migration, so that it
-- can be made while the table is written to.
create index concurrently payers_by_name on payers (merchant_id, mode, lower(name collate "pg_c_utf8"), id) where name is not null;
