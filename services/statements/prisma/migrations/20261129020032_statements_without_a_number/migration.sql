create unique index concurrently statements_without_a_number on statements (account, from_on) where number is null;
