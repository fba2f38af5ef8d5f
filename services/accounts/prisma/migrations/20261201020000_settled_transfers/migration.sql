-- Which transfers a partner has settled in one sum, by their intake ids, which are known before the transfers are: whichever is reported first.
-- A transfer is in one settlement, and stays in it. The previous release neither reads nor writes it.
create table settled_transfers (
  intake_id text primary key,
  bank text not null,
  settlement_id text not null,
  noticed_at timestamptz(3) not null default now()
);
-- In this order statements reads them.
create index settled_transfers_noticed_at_intake_id_idx on settled_transfers (noticed_at, intake_id);
grant select, insert on settled_transfers to collect_accounts;
