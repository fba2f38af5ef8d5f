-- Only what was restored is here.
create index concurrently inbound_transfers_restored on inbound_transfers (restored_at, intake_id) where restored_at is not null;
