-- When the sums were taken, which is no longer with every chunk of a round. The previous release goes on taking them, and does not write it.
alter table audit_progress add column sums_at timestamptz(6);
