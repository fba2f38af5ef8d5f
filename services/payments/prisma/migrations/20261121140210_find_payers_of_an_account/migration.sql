-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payers_of_account_idx on payers (account_number, merchant_id, mode, id) where account_number <> '';
