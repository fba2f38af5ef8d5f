-- When a transfer that this database had lost was restored: statements, which has read on since, is told of it in the place of that time. The previous
-- release writes none, and what it restores late is listed by its receipt alone.
alter table inbound_transfers add column restored_at timestamptz(3);
