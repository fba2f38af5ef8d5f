alter table bank_accounts validate constraint bank_accounts_end;
