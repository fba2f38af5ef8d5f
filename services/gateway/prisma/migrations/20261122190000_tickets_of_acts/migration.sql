-- Only the service that recorded an act is given its ticket, and reports the outcome with it. Entries of the previous release have none,
-- and keep the outcome that they have.
alter table audit_entries add column ticket text;
