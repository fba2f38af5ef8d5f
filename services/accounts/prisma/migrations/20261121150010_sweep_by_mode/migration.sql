-- What the sweep of one mode looks through. Alone in its migration, so that it can be made while the table is written to.
create index concurrently inbound_transfers_unfinished_by_mode on inbound_transfers (mode, drive_at) where completed_at is null;
