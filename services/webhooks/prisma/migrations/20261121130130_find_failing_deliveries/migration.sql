create index concurrently deliveries_failing on deliveries (merchant_id, mode, kind, number) where status = 'pending' and attempts > attempts_before;
