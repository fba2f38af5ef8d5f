-- How far accounts has compared reversals with the other services: round and round in the order of their ids, a page at a time,
-- whichever replica claims it.
create table reversal_proofs (
  id smallint primary key default 1 check (id = 1),
  next_at timestamptz(3) not null default clock_timestamp(),
  -- The last reversal that was compared, empty where a round begins.
  cursor text not null default '',
  proven_at timestamptz(3),
  this_round bigint not null default 0,
  last_round bigint not null default 0,
  last_round_at timestamptz(3),
  -- What did not hold in this round so far, and in the last one.
  differences jsonb not null default '[]',
  last_differences jsonb not null default '[]'
);
insert into reversal_proofs default values;
grant select, update on reversal_proofs to collect_accounts;
