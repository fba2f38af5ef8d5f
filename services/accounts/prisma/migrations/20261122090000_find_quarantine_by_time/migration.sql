-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently quarantined_transfers_received_at_idx on quarantined_transfers (received_at);
