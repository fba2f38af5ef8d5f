-- How people find customer accounts: by status, newest first, and by how a name begins. The previous release reads and
-- writes as before.
create index customer_accounts_merchant_id_mode_status_created_at_id_idx
  on customer_accounts (merchant_id, mode, status, created_at, id);

-- In the order of their bytes, and in lower case after Unicode, whatever the server's locale.
create index customer_accounts_by_name
  on customer_accounts (merchant_id, mode, status, lower(customer_name collate "pg_c_utf8"), id)
  where account_number is not null;

-- Whose account a quarantined transfer was for, when it came. What the previous release quarantines beside this one has no
-- merchant until it comes again, and is found by the operator alone.
alter table quarantined_transfers add column merchant_id text;
update quarantined_transfers q
  set merchant_id = coalesce(
    (select merchant_id from customer_accounts a where a.mode = q.mode and a.account_number = q.account_number),
    (select merchant_id from collection_accounts own where own.mode = q.mode and own.account_number = q.account_number));
create index quarantined_transfers_merchant_id_mode_idx on quarantined_transfers (merchant_id, mode);
