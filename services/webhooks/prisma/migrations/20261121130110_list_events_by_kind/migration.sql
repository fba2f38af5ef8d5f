create index concurrently events_merchant_id_mode_kind_sequence_idx on events (merchant_id, mode, kind, sequence);
