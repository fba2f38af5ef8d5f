-- The dashboard asks for the latest decisions, to tell the owners by mail. Alone in its
-- migration, so that it can be made while the table is written to.
create index concurrently merchant_verifications_decided_at_merchant_id_idx on merchant_verifications (decided_at, merchant_id);
