-- An account that takes the place of one that has ended has them, too.
create unique index concurrently bank_accounts_open_payouts_of_key on bank_accounts (payouts_of) where last_on is null;
