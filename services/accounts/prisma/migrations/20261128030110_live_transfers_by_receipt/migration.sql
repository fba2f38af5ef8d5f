-- What statements reads: live transfers by the time of receipt, past any amount of test money. Alone in its migration, so that it can be
-- made while the table is written to.
create index concurrently inbound_transfers_live_received on inbound_transfers (received_at, intake_id) where mode = 'live';
