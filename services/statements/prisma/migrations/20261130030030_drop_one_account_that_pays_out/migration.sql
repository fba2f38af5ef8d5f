-- Replaced by bank_accounts_open_pays_out_key.
drop index concurrently bank_accounts_pays_out_key;
