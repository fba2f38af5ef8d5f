-- What a bank kept of a transfer is an expense of ours: an account per mode and shard, as fees are an income. The previous release
-- books none.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('bank', 'bank_charges', 'fees', 'suspense', 'collected', 'settled', 'payouts')) not valid;

-- What the bank kept of the amount, with the VAT on that. The rest is on the account of the bank.
alter table transactions add column bank_charge bigint not null default 0;
alter table transactions add constraint transactions_bank_charge_check check (bank_charge between 0 and amount) not valid;
