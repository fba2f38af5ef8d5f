-- And may pay out as it did.
create unique index concurrently bank_accounts_open_pays_out_key on bank_accounts (pays_out) where pays_out and last_on is null;
