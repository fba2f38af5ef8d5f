-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently transfers_to_account_idx on transfers (account_number, merchant_id, mode, created_at desc, reference desc)
  where step not in ('created', 'refused');
