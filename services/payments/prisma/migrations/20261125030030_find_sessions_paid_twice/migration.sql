-- Sessions that were paid, and then exactly once more, for the Inbox. Other sessions do not write it.
create index concurrently sessions_paid_twice_idx on sessions (merchant_id, mode, created_at desc, reference desc)
  where amount_received > amount and status <> 'overpaid';
