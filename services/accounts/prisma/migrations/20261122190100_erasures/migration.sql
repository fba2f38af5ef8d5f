-- The erasures of persons' data that operators ordered, named by references only. One order is one row, however often it is
-- repeated: a repeat is another run.
create table erasures (
  id text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  kind text not null check (kind in ('customer', 'payer')),
  reference text not null,
  run integer not null default 1 check (run >= 1),
  requested_at timestamptz(3) not null default clock_timestamp(),
  -- Of this run; null while it is not over.
  finished_at timestamptz(3),
  due_at timestamptz(3) not null default clock_timestamp(),
  lease_until timestamptz(3) not null default '-infinity'
);
create index erasures_due_idx on erasures (due_at, id) where finished_at is null;
create index erasures_requested_at_idx on erasures (requested_at);

-- The transfers of an erasure, and the run that erased each. While one is under way its event may differ from the hash in
-- inbound_transfers, and the audit leaves it out.
create table erased_transfers (
  erasure_id text not null references erasures,
  intake_id text not null,
  run integer not null default 0,
  under_way boolean not null default false,
  erased_at timestamptz(3),
  primary key (erasure_id, intake_id)
);
create index erased_transfers_under_way_idx on erased_transfers (intake_id) where under_way;
create index erased_transfers_intake_id_idx on erased_transfers (intake_id);

grant select, insert, update on erasures, erased_transfers to collect_accounts;

-- What the bank said stays as it was, but for the payer of an erasure: the name becomes this one word, and the rest null.
create or replace trigger inbound_transfers_facts before update on inbound_transfers for each row
  when ((old.intake_id, old.bank, old.mode, old.bank_transfer_id, old.account_number, old.amount, old.currency, old.paid_at, old.received_at)
    is distinct from (new.intake_id, new.bank, new.mode, new.bank_transfer_id, new.account_number, new.amount, new.currency, new.paid_at, new.received_at)
    or (old.payer_name <> new.payer_name and (new.payer_name, new.payer_account_number, new.payer_bank_name, new.narration)
      is distinct from ('Erased', null, null, null))
    or (old.merchant_id is not null and old.merchant_id is distinct from new.merchant_id))
  execute function keep_what_the_bank_said();
