-- Accounts that a merchant saved to pay again, each from a transfer to it. The previous release reads and writes none of this.
create table beneficiaries (
  merchant_id    text not null,
  mode           text not null check (mode in ('test', 'live')),
  bank_code      text not null,
  account_number text not null,
  bank_name      text not null,
  -- As the transfer showed it.
  account_name   text not null,
  saved_at       timestamptz(3) not null default clock_timestamp(),
  saved_by       jsonb,
  primary key (merchant_id, mode, bank_code, account_number)
);
grant select, insert, delete on beneficiaries to collect_payments;
