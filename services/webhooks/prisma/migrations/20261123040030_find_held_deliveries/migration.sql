create index concurrently deliveries_held on deliveries (merchant_id, mode, next_attempt_at, sequence) where status = 'pending' and next_attempt_at is null;
