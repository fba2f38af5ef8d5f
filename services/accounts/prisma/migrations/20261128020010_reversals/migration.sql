-- What a bank takes back of a transfer that it reported. The previous release parks such reports in quarantine.

-- How much of the transfer was taken back: never more than it was.
alter table inbound_transfers add column reversed bigint not null default 0;
alter table inbound_transfers add constraint inbound_transfers_reversed_a_part check (reversed between 0 and amount) not valid;

create table inbound_reversals (
  reversal_id text not null unique,
  bank text not null,
  mode text not null check (mode in ('test', 'live')),
  bank_transfer_id text not null,
  -- The intake id of the transfer that is taken back, whether or not that was reported yet.
  credit_id text not null,
  account_number text not null,
  amount bigint not null check (amount > 0),
  bank_fee bigint not null,
  bank_vat bigint not null,
  session_id text,
  settlement_id text,
  reversed_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  -- Decided once, when its transfer is at the end of its path: which part of the transfer it is, and whose.
  admitted_at timestamptz(3),
  reversed_before bigint check (reversed_before >= 0),
  merchant_id text,
  -- When the rest of the transfer was allocated to the merchant, after this was taken out of suspense.
  allocated_at timestamptz(3),
  -- Why it never can be admitted: it is in quarantine.
  refused text,
  drives integer not null default 0,
  drive_at timestamptz(3) not null,
  completed_at timestamptz(3),
  reference text,
  sequence bigint,
  delivery_number bigint,
  recorded_at timestamptz(3),
  primary key (bank, mode, bank_transfer_id),
  check (bank_fee >= 0 and bank_vat >= 0 and bank_fee + bank_vat <= amount),
  check ((admitted_at is null) = (reversed_before is null)),
  check (admitted_at is not null or (merchant_id is null and allocated_at is null)),
  check (refused is null or (admitted_at is null and completed_at is not null)),
  check (admitted_at is not null or refused is not null or completed_at is null)
);
-- Two reversals of a transfer are never the same part of it.
create unique index inbound_reversals_part_key on inbound_reversals (credit_id, reversed_before);
create index inbound_reversals_unfinished on inbound_reversals (drive_at) where completed_at is null;
-- For the bank's statements, with those of inbound_transfers.
create index inbound_reversals_admitted on inbound_reversals (admitted_at, reversal_id) where mode = 'live';

create trigger inbound_reversals_facts before update on inbound_reversals for each row
  when ((old.reversal_id, old.bank, old.mode, old.bank_transfer_id, old.credit_id, old.account_number, old.amount, old.bank_fee, old.bank_vat, old.reversed_at, old.received_at)
    is distinct from (new.reversal_id, new.bank, new.mode, new.bank_transfer_id, new.credit_id, new.account_number, new.amount, new.bank_fee, new.bank_vat, new.reversed_at, new.received_at)
    or (old.reversed_before is not null and old.reversed_before is distinct from new.reversed_before)
    or (old.merchant_id is not null and old.merchant_id is distinct from new.merchant_id))
  execute function keep_what_the_bank_said();
create trigger inbound_reversals_history before delete or truncate on inbound_reversals for each statement execute function keep_what_the_bank_said();

grant select, insert, update on inbound_reversals to collect_accounts;
