create index concurrently transfers_touched_idx on transfers (touched_at, reference) where touched_at is not null;
