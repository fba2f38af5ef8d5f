-- What was posted last is proven first, apart from the rounds, which now go through the settlements too. The previous
-- release knows no stage of that name: it waits at its end until it is replaced.
alter table audit_progress drop constraint audit_progress_stage_check;
alter table audit_progress
  add constraint audit_progress_stage_check check (stage in ('entries', 'transactions', 'ledger_accounts', 'settlements')),
  add column settlement text not null default '',
  -- The last transaction that was proven soon after it was posted; when it was posted, and when it was last looked.
  add column recent_id bigint,
  add column recent_to timestamptz(6),
  add column recent_at timestamptz(6),
  -- What did not hold then: since the present round began, and in the round before.
  add column recent_differences jsonb not null default '[]',
  add column recent_before jsonb not null default '[]';
