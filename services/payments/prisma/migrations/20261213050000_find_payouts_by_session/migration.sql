-- Alone in its migration, so that it can be made while the table is written to. A line of a statement names a payout by its session.
create index concurrently transfers_of_session_idx on transfers (session_id) where session_id is not null;
