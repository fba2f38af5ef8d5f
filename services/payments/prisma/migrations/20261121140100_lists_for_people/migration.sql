-- How people find collections, payers, sessions and transfers. The previous release reads and writes as before.

-- Nothing reads collections in the order in which they were stored any more.
drop index collections_merchant_id_mode_created_at_intake_id_idx;
-- By the bank's time. What a day came to is summed from this index alone.
create index collections_shown_idx on collections (merchant_id, mode, paid_at desc, intake_id desc) include (amount, fee)
  where paid_at is not null;
create index collections_payer_id_paid_at_idx on collections (payer_id, paid_at desc);
create index collections_account_number_paid_at_idx on collections (account_number, paid_at desc);
create index collections_of_customer_idx on collections (customer_reference, merchant_id, mode, paid_at desc, intake_id desc)
  where customer_reference is not null;
create index collections_merchant_reference_idx on collections (merchant_reference, merchant_id, mode, paid_at desc, intake_id desc)
  where merchant_reference is not null;
-- Rows are only ever added: they are marked as seen by everybody early, so that sums need not look into the table.
alter table collections set (autovacuum_vacuum_insert_scale_factor = 0.02);

create index payers_merchant_id_mode_id_idx on payers (merchant_id, mode, id desc);
create index payers_of_account_idx on payers (account_number, merchant_id, mode, id) where account_number <> '';
-- In the order of their bytes, and in lower case after Unicode, whatever the server's locale.
create index payers_by_name on payers (merchant_id, mode, lower(name collate "pg_c_utf8"), id) where name is not null;

-- Each status is walked by itself, so that a rare one is found without reading the others.
create index sessions_merchant_id_mode_status_created_at_reference_idx
  on sessions (merchant_id, mode, status, created_at desc, reference desc);
create index sessions_of_customer_idx on sessions (customer_reference, merchant_id, mode, status, created_at desc, reference desc)
  where customer_reference is not null;
create index sessions_of_link_idx on sessions (payment_link, status, created_at desc, reference desc)
  where payment_link is not null;
-- A reference of the merchant's server is one session, which sessions_merchant_reference_key finds.
create index sessions_public_reference_idx on sessions (merchant_reference, merchant_id, mode, created_at desc, reference desc)
  where opened_by = 'public_key' and merchant_reference is not null;

-- Whole, where the other is partial, so that a list by status has an index of its own: IS_SHOWN in src/store/transfers.ts says why.
create index transfers_merchant_id_mode_status_created_at_reference_idx
  on transfers (merchant_id, mode, status, created_at desc, reference desc);
drop index transfers_shown_by_status_idx;
create index transfers_to_account_idx on transfers (account_number, merchant_id, mode, created_at desc, reference desc)
  where step not in ('created', 'refused');
