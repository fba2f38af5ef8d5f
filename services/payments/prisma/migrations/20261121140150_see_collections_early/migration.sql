-- Rows are only ever added: they are marked as seen by everybody early, so that sums need not look into the table. It keeps
-- nobody from writing.
alter table collections set (autovacuum_vacuum_insert_scale_factor = 0.02);
