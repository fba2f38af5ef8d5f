create index concurrently merchants_created_at_id_idx on merchants (created_at, id);
