-- An account that takes the place of one that has ended has the same bank.
create unique index concurrently bank_accounts_open_bank_key on bank_accounts (bank) where last_on is null;
