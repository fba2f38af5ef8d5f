-- Collections are added about in the order in which money comes, so a range of time is a range of pages. The newest pages
-- are those that are asked for most: they are summarised as they fill, not only when the table is vacuumed.
create index concurrently collections_received_at_idx on collections using brin (received_at)
  with (pages_per_range = 32, autosummarize = on) where received_at is not null;
