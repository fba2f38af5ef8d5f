-- The gateway keeps the audit log. Here is the outbox of what is recorded together with a change of this database; the rows of
-- the previous release are copied with it. A key is drawn once for each row: a row that is sent again is not recorded again,
-- and after a restore no new row has the key of one that is lost.
--
-- A column with a default that differs for each row would rewrite the table while nothing can read it. So the default is for
-- new rows only, and the following migrations give older ones their keys.
alter table audit_log add column actor jsonb, add column copied_at timestamptz(3), add column key uuid;
alter table audit_log alter column key set default gen_random_uuid(), alter column merchant_id drop not null;

drop trigger an_outcome_is_told_once on audit_log;
create trigger an_outcome_is_told_once before update of outcome on audit_log
  for each row when (old.outcome <> 'unknown') execute function refuse_second_outcome();
grant update (copied_at) on audit_log to collect_dashboard;
