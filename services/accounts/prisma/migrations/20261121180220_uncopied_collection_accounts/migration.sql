create index concurrently collection_accounts_uncopied_idx on collection_accounts (id) where copied_at is null and account_number is not null;
