-- For the audit, which looks often at what was paid lately. Alone in its migration, so that it can be made while the table is
-- written to.
create index concurrently sessions_paid_at_idx on sessions (paid_at) where paid_at is not null;
