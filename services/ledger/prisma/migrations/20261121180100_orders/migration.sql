-- What the merchant ordered, as payments wrote it: the ledger only keeps it, so that payments can learn it again. The previous
-- release writes none.
alter table transfer_reserves add column memo jsonb;
