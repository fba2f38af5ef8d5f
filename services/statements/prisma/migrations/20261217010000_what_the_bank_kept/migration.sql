-- What the bank reported to have kept of a transfer, with the sign of its amount: so much it may give back by a line of its own. Null in rows of the
-- previous release, which leaves it out: they are read again.
alter table movements add column kept bigint;
