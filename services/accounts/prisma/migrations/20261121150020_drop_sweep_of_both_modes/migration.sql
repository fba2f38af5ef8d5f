-- The sweep has an index by mode by now. Alone in its migration, so that it goes without keeping anybody from writing.
drop index concurrently inbound_transfers_unfinished;
