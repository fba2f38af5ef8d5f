-- Whether the offer of a line is credited or withdrawn: whichever comes first, and never both. The previous release neither reads nor
-- writes it.
create table line_offers (
  line text not null,
  offered_at timestamptz(3) not null,
  is_withdrawn boolean not null,
  decided_at timestamptz(3) not null default clock_timestamp(),
  primary key (line, offered_at)
);
-- One whose transfer turned out to be another one's is open again.
grant select, insert, delete on line_offers to collect_accounts;
grant delete on missed_transfers to collect_accounts;
