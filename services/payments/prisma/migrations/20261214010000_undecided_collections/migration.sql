-- Collections that nobody had decided on when payments caught up after a restore: they wait until everything that was decided is
-- repeated. Empty at any other time. The previous release neither reads nor writes it.
create table undecided_collections (
  intake_id text primary key,
  mode text not null check (mode in ('test', 'live')),
  amount bigint not null check (amount > 0),
  received_at timestamptz(3) not null
);
create index undecided_collections_received_at_idx on undecided_collections (received_at);

grant select, insert, delete on undecided_collections to collect_payments;
