-- Replaced by bank_accounts_open_bank_key.
drop index concurrently bank_accounts_bank_key;
