-- The events of attached collections by time, from which payments recovers after a restore. Other events do not write it.
create index concurrently events_attached_idx on events (created_at, key) where kind = 'collection.attached';
