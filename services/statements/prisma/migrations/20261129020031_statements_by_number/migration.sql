create unique index concurrently statements_account_from_on_number_key on statements (account, from_on, number);
