-- How much test money arrived for each merchant on its last day: one row a merchant. The previous release counts nothing.
create table test_volumes (
  merchant_id text primary key,
  day date not null,
  amount bigint not null check (amount > 0)
) with (fillfactor = 50);

grant select, insert, update on test_volumes to collect_accounts;
