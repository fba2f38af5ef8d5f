-- Sessions of a slot in the order in which they took it, which is not the order in which they were created. Alone in its
-- migration, so that it can be made while the table is written to.
create index concurrently sessions_of_slot_idx on sessions (account_number, mode, amount, (coalesce(quoted_at, created_at)) desc)
  where account_number is not null;
