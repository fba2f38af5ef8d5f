-- How far payments has proven itself: each part walks round and round, a page at a time, whichever replica claims it.
create table audit_progress (
  part text primary key check (part in ('sessions', 'transfers', 'reserves')),
  next_at timestamptz(3) not null default clock_timestamp(),
  -- The last row that was proven, empty where a round begins.
  cursor text not null default '',
  proven_at timestamptz(3),
  this_round bigint not null default 0,
  last_round bigint not null default 0,
  last_round_at timestamptz(3),
  -- What did not hold in this round so far, in the last one, and of what happened lately.
  differences jsonb not null default '[]',
  last_differences jsonb not null default '[]',
  recent_differences jsonb not null default '[]'
);
insert into audit_progress (part) values ('sessions'), ('transfers'), ('reserves');
grant select, update on audit_progress to collect_payments;
