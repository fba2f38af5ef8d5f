-- Alone in its migration, so that it can be made while the table is written to.
-- Those that may still be reserved are in it, unlike in transfers_to_account_idx, which the previous release needs; the next one drops it.
-- `account_number <> ''` is true of all: plans made while the table is empty take it only for statements that say so.
create index concurrently transfers_of_account_idx on transfers (account_number, merchant_id, mode, created_at desc, reference desc)
  where step <> 'refused' and account_number <> '';
