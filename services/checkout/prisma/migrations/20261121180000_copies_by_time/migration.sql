-- Copies that payments told or confirmed since a moment: payments asks for them when its database was restored. Rows are
-- rewritten in place, which a summary of pages allows and a tree would not.
create index concurrently session_views_refreshed_at_idx on session_views using brin (refreshed_at)
  with (pages_per_range = 32, autosummarize = on) where refreshed_at is not null;
