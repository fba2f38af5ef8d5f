-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently if not exists to_be_copied on audit_log (id) where copied_at is null;
