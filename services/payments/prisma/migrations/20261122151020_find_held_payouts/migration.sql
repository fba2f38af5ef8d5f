create index concurrently transfers_held_idx on transfers (merchant_id, held_for) where held_for is not null;
