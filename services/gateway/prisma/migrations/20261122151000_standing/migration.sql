-- A suspended merchant makes nothing live, verified or not. The previous release does not know the columns and goes on without.
alter table merchants
  add column suspended_at      timestamptz(3),
  add column suspension_reason text;
alter table merchants
  add constraint suspended_with_a_reason check ((suspended_at is null) = (suspension_reason is null)) not valid;

-- Names of verified merchants in the form in which look-alikes are equal. Another merchant's that meets one is decided by the
-- operator. The service fills in those who were verified before.
create table protected_names (
  skeleton    text not null check (skeleton <> ''),
  merchant_id text not null references merchants (id) on update cascade on delete restrict,
  primary key (skeleton, merchant_id)
);
create index protected_names_merchant_id_idx on protected_names (merchant_id);

grant select, insert on protected_names to collect_gateway;
