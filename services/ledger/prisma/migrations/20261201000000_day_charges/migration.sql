-- What banks charge our accounts, as days were closed with it: from the bank to our expense. The previous release books none, and its self-audit
-- does not know them.
alter table transactions drop constraint transactions_kind_check;
alter table transactions add constraint transactions_kind_check check (kind in (
  'collection', 'suspense', 'allocation', 'settlement',
  'reserve', 'payout', 'return', 'reversal', 'late_payout', 'late_reversal',
  'collection_reversal', 'allocation_reversal', 'suspense_reversal', 'cover',
  'bank_charge', 'bank_charge_refund'
)) not valid;
-- Never a merchant's.
alter table transactions add constraint transactions_bank_charges_are_ours check (
  kind not in ('bank_charge', 'bank_charge_refund')
  or mode = 'live' and merchant_id is null and fee = 0 and bank_charge = 0 and received_at is null
) not valid;

-- The charges of an account and day: each version with the transaction that led to it from the one before.
create table day_charges (
  day date not null,
  account text collate "C" not null,
  version integer not null check (version > 0),
  total bigint not null,
  transaction_id bigint not null,
  primary key (day, account, version)
);
create unique index day_charges_transaction_id_key on day_charges (transaction_id);
create trigger day_charges_stay before update or delete or truncate on day_charges
  for each statement execute function refuse_change();

grant select, insert on day_charges to collect_ledger;
