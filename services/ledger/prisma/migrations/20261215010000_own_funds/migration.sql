-- Our own money in the accounts at banks, as days were closed with it: an account per mode and shard, as bank charges are. The previous release books
-- none, and its self-audit does not know them.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('bank', 'bank_charges', 'own_funds', 'fees', 'suspense', 'collected', 'settled', 'payouts')) not valid;

alter table transactions drop constraint transactions_kind_check;
alter table transactions add constraint transactions_kind_check check (kind in (
  'collection', 'suspense', 'allocation', 'settlement',
  'reserve', 'payout', 'return', 'reversal', 'late_payout', 'late_reversal',
  'collection_reversal', 'allocation_reversal', 'suspense_reversal', 'cover',
  'bank_charge', 'bank_charge_refund', 'own_funds_in', 'own_funds_out'
)) not valid;
-- Never a merchant's.
alter table transactions add constraint transactions_own_funds_are_ours check (
  kind not in ('own_funds_in', 'own_funds_out')
  or mode = 'live' and merchant_id is null and fee = 0 and bank_charge = 0 and received_at is null
) not valid;

-- Those of an account and day: each version with the transaction that led to it from the one before.
create table day_own_funds (
  day date not null,
  account text collate "C" not null,
  version integer not null check (version > 0),
  total bigint not null,
  transaction_id bigint not null,
  primary key (day, account, version)
);
create unique index day_own_funds_transaction_id_key on day_own_funds (transaction_id);
create trigger day_own_funds_stay before update or delete or truncate on day_own_funds
  for each statement execute function refuse_change();

grant select, insert on day_own_funds to collect_ledger;
