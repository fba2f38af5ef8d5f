-- Money that merchants send to bank accounts. Nothing before this release knows the table.

create table transfers (
  reference text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  merchant_reference text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null default 0 check (fee >= 0),
  bank_code text not null,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  narration text,
  step text not null default 'created'
    check (step in ('created', 'refused', 'reserved', 'sending', 'decided', 'booked', 'told')),
  status text not null default 'pending' check (status in ('pending', 'success', 'failed', 'reversed')),
  verdict text check (verdict in ('success', 'failed', 'reversed')),
  failure_code text,
  failure_reason text,
  told text[] default '{}' check (told is not null),
  attempts integer not null default 0,
  next_at timestamptz(3),
  follow_ups integer not null default 0,
  follow_up_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  sent_at timestamptz(3),
  completed_at timestamptz(3),
  reversed_at timestamptz(3),
  -- A step is what these say together; a row that contradicts itself cannot be written.
  check ((step in ('created', 'refused', 'reserved')) = (sent_at is null)),
  check ((step in ('created', 'refused', 'reserved', 'sending')) = (verdict is null)),
  check (step <> 'decided' or status <> verdict),
  check (step not in ('booked', 'told') or status = verdict),
  check ((status = 'pending') = (completed_at is null)),
  check ((status = 'reversed') = (reversed_at is not null))
);

-- One transfer a merchant's reference. What the ledger refused never was one, and leaves its reference free.
create unique index transfers_merchant_reference_key on transfers (merchant_id, mode, merchant_reference)
  where step <> 'refused';
-- What a merchant sees: the money is held, or was.
create index transfers_shown_idx on transfers (merchant_id, mode, created_at desc, reference desc)
  where step not in ('created', 'refused');
create index transfers_shown_by_status_idx on transfers (merchant_id, mode, status, created_at desc, reference desc)
  where step not in ('created', 'refused');
create index transfers_due_idx on transfers (mode, next_at) where next_at is not null;
create index transfers_follow_up_idx on transfers (mode, follow_up_at) where follow_up_at is not null;
create index transfers_unfinished_idx on transfers (mode, step, created_at) where step not in ('told', 'refused');

grant select, insert, update on transfers to collect_payments;
