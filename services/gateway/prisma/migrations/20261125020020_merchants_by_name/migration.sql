create index concurrently merchants_by_name on merchants (lower(name) text_pattern_ops);
