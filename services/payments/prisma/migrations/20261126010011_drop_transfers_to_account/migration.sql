-- The previous release finds the same transfers by transfers_of_account_idx.
drop index concurrently transfers_to_account_idx;
