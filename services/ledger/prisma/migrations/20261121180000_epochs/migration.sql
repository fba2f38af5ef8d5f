-- How a database finds out that it was restored to an earlier moment: an epoch counts up in it and its neighbours keep the
-- highest they were given. The previous release knows neither table.
create table epochs (
  service text primary key,
  epoch bigint not null,
  confirmed_at timestamptz(3),
  since timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 50);

create table recoveries (
  id bigint generated always as identity primary key,
  restored_to timestamptz(3) not null,
  noticed_at timestamptz(3) not null default clock_timestamp(),
  step text not null default 'noticed',
  next_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3)
);
-- One at a time.
create unique index recoveries_unfinished_key on recoveries ((finished_at is null)) where finished_at is null;

grant select, insert, update on epochs, recoveries to collect_ledger;
