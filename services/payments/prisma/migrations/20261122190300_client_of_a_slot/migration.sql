-- A tag of the client that took a slot without a secret key, by which its share of a price is counted. Kept while the slot is held.
-- The previous release stores none, and leaves one behind when it releases a slot: it is counted only while the slot is held.
alter table sessions add column client text;
grant update (client) on sessions to collect_payments;
