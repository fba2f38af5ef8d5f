-- What of a merchant's money is under way: as small as what is unfinished. Alone in its migration, so that it can be made
-- while the table is written to. It leaves out money of nobody, so that no statement about that walks through it.
create index concurrently inbound_transfers_unfinished_of_a_merchant on inbound_transfers (merchant_id, mode, received_at) where completed_at is null and merchant_id is not null;
