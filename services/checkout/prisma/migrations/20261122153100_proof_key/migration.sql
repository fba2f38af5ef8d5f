-- The key with which challenges are signed, the same for all replicas. Made on first use; losing it makes payers solve again.
create table proof_key (
  id boolean primary key default true check (id),
  key bytea not null
);
grant select, insert on proof_key to collect_checkout;
