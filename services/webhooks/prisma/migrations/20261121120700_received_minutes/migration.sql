-- When accounts received the money of a collection: what the self-audit counts by. Null for events that are not about a
-- collection, and for those recorded before this column was there.
alter table events add column received_at timestamptz(3);
-- Events are added about in the order in which money comes, so a range of time is a range of pages. The newest pages are
-- those that are asked for most: they are summarised as they fill, not only when the table is vacuumed.
create index events_received_at on events using brin (received_at) with (pages_per_range = 32, autosummarize = on)
  where received_at is not null;

-- What the service may do with the new column follows from its rights on the table.
grant select, insert on events to collect_webhooks;
