-- Only what the partner is asked for is here.
create index concurrently settled_transfers_to_ask_for on settled_transfers (ask_at) where ask_at is not null;
