-- How people find customer accounts: by how a name begins, in the order of the bytes, and in lower case after Unicode, whatever
-- the server's locale. Alone in its migration, so that it can be made while the table is written to.
create index concurrently customer_accounts_by_name on customer_accounts (merchant_id, mode, status, lower(customer_name collate "pg_c_utf8"), id) where account_number is not null;
