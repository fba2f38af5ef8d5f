-- How many customer accounts of a merchant were made in each minute (since 1970), through whichever door. Repeats of a
-- customer reference make none.
create table account_creations (
  merchant_id text not null,
  minute bigint not null,
  made integer not null check (made > 0),
  primary key (merchant_id, minute)
);
create index account_creations_by_age on account_creations (minute);
grant select, insert, update, delete on account_creations to collect_accounts;
