-- Whether a session that an operator offers was reported under another id of the bank. Alone in its migration, so that it can be made while
-- the table is written to.
create index concurrently inbound_transfers_live_session on inbound_transfers (bank, session_id) where mode = 'live' and session_id is not null;
