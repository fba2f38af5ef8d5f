-- How people list customer accounts: by status, newest first. Alone in its migration, so that it can be made while the table
-- is written to.
create index concurrently customer_accounts_merchant_id_mode_status_created_at_id_idx on customer_accounts (merchant_id, mode, status, created_at, id);
