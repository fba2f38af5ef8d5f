-- What a merchant allows to callers with its public key.
create table checkout_settings (
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  return_hosts text[] default '{}' check (cardinality(return_hosts) <= 20),
  public_descriptions boolean not null default true,
  primary key (merchant_id, mode)
);
grant select, insert, update on checkout_settings to collect_payments;
