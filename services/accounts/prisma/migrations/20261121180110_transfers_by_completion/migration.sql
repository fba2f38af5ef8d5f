-- What came to its end since a moment: others ask for it whose database was restored.
create index concurrently inbound_transfers_completed_idx on inbound_transfers (completed_at, intake_id) where completed_at is not null;
