-- Which accounts have money under way: as small as what is unfinished. Alone in its migration, so that it can be made while
-- the table is written to. (The rights on the table were granted to collect_accounts with it.)
create index concurrently inbound_transfers_under_way on inbound_transfers (mode, account_number, received_at) where completed_at is null;
