create index concurrently deliveries_due on deliveries (mode, next_attempt_at, merchant_id) where status = 'pending' and not claimed and next_attempt_at is not null;
