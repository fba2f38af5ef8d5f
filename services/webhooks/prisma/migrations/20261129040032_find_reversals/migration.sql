-- The events of what banks took back, for the audit. Other events do not write it.
create index concurrently events_reversed_idx on events (key collate "C") where kind = 'collection.reversed';
