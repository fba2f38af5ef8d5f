-- To the minute; written behind the calls, so that checking a key writes nothing. Alone in its migration: every call reads
-- this table, and none waits longer for its lock than adding the column takes.
alter table api_keys add column last_used_at timestamptz(3);
