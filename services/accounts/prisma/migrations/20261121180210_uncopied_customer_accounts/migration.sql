create index concurrently customer_accounts_uncopied_idx on customer_accounts (id) where copied_at is null and account_number is not null;
