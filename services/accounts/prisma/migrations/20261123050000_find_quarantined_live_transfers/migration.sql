-- Merchants can have test transfers quarantined, any number of them; the operator's list is of live ones.
create index concurrently quarantined_transfers_live_idx on quarantined_transfers (received_at) where mode = 'live';
