-- Ranges of the intake that an operator wants sent round again, one for each mode, and how far each has come.
create table redrives (
  id bigserial primary key,
  mode text not null check (mode in ('test', 'live')),
  from_received_at timestamptz(3) not null,
  to_received_at timestamptz(3) not null,
  position_received_at timestamptz(3) not null,
  position_intake_id text not null default '',
  redriven bigint not null default 0,
  lease_until timestamptz(3) not null default '-infinity',
  started_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3)
);
create unique index redrives_under_way on redrives (mode, from_received_at, to_received_at) where finished_at is null;

grant select, insert, update on redrives to collect_accounts;
grant usage on sequence redrives_id_seq to collect_accounts;
