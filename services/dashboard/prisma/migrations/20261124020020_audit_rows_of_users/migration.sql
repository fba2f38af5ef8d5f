-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently if not exists audit_log_user_id_id_idx on audit_log (user_id, id);
