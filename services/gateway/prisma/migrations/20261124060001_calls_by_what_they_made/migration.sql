create index concurrently api_calls_merchant_id_mode_made_idx on api_calls (merchant_id, mode, made);
