create index concurrently deliveries_merchant_id_mode_kind_status_number_idx on deliveries (merchant_id, mode, kind, status, number);
