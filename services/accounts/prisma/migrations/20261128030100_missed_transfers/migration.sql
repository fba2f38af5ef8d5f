-- The sessions of transfers that an operator offered from a statement: a report of the same session under another id of the bank is not
-- credited again. The previous release neither reads nor writes it.
create table missed_transfers (
  bank text not null,
  session_id text not null,
  intake_id text not null,
  offered_at timestamptz(3) not null default clock_timestamp(),
  primary key (bank, session_id)
);
grant select, insert on missed_transfers to collect_accounts;
