-- Whose account a quarantined transfer was for, when it came. The previous release reads and writes as before: what it
-- quarantines beside this one has no merchant until it comes again, and is found by the operator alone.
alter table quarantined_transfers add column merchant_id text;
