-- SHA-256 of the body of the merchant's event, as webhooks recorded it. Null until then, and for what an earlier release
-- completed.
alter table inbound_transfers add column body_hash bytea;

-- Each part of the comparison has its own cursor and its own age. The previous release goes on with its own columns.
alter table audit_proofs
  -- From here up to there everything was compared, seconds after it came.
  add column recent_from timestamptz(3),
  add column recent_to timestamptz(3),
  -- When the walk through the history went on, and when it last came to its end.
  add column walked_at timestamptz(3),
  add column walk_ended_at timestamptz(3),
  -- The last position of the ledger whose minutes of receipt are known.
  add column ledger_position text;

-- What differs in a minute, and the transfers in question.
alter table audit_differences
  add column what text[] default '{}' check (what is not null),
  add column transfers jsonb not null default '[]';

-- Minutes to be compared again: because they differ, because money of them was under way, or because the ledger posted to
-- them after they had been compared.
create table audit_minutes (
  minute timestamptz(3) primary key,
  reason text not null check (reason in ('differs', 'under_way', 'posted')),
  compared_at timestamptz(3) not null default clock_timestamp()
);
create index audit_minutes_compared_at_idx on audit_minutes (compared_at);
grant select, insert, update, delete on audit_minutes to collect_accounts;
