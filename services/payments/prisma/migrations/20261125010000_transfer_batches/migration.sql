-- Files of many transfers. The batch's reference is derived from merchant, mode and the file's lines, and the reference of a line's
-- transfer from the batch and the line, unless the file has one of its own: so the same file, sent again, at once or by two people,
-- is the same batch, and its lines are the same transfers. The previous release reads and writes none of this.
create table transfer_batches (
  reference      text primary key,
  merchant_id    text not null,
  mode           text not null check (mode in ('test', 'live')),
  name           text not null,
  state          text not null default 'checking' check (state in ('checking', 'checked', 'awaiting_approval', 'sending', 'sent')),
  lines          integer not null check (lines between 1 and 1000),
  total          bigint not null check (total >= 0),
  created_at     timestamptz(3) not null default clock_timestamp(),
  created_by     jsonb,
  confirmed_at   timestamptz(3),
  confirmed_by   jsonb,
  -- The day in Lagos of its last confirmation, for the threshold of the day. It stays when the confirmation does not.
  confirmed_on   date,
  -- Decided with the confirmation, from the merchant's threshold.
  needs_approval boolean,
  approved_at    timestamptz(3),
  approved_by    jsonb,
  -- Since when the person who approved had had a role that may.
  approver_since timestamptz(3),
  attempts       integer not null default 0,
  -- When a worker continues with it; null while it waits for a person, and at its end.
  next_at        timestamptz(3),
  constraint confirmed_before_it_is_sent check ((state in ('checking', 'checked')) = (confirmed_at is null) and (confirmed_at is null) = (needs_approval is null)),
  constraint confirmed_on_a_day check (confirmed_at is null or confirmed_on is not null),
  constraint approved_before_it_is_sent check (state not in ('sending', 'sent') or not needs_approval or approved_at is not null),
  constraint approved_by_another_person check ((approved_by ->> 'user_id' = confirmed_by ->> 'user_id') is not true),
  constraint approved_by_no_newcomer check (approved_at is null or mode = 'test' or approved_at - approver_since >= interval '24 hours')
);
create index transfer_batches_shown_idx on transfer_batches (merchant_id, mode, created_at desc, reference desc);
create index transfer_batches_open_idx on transfer_batches (merchant_id, mode, state) where state <> 'sent';
create index transfer_batches_due_idx on transfer_batches (mode, next_at) where next_at is not null;
create index transfer_batches_by_age on transfer_batches (created_at);

create table transfer_batch_lines (
  batch             text not null references transfer_batches (reference) on delete cascade,
  line              integer not null check (line > 0),
  merchant_id       text not null,
  mode              text not null,
  -- Null if it is not readable.
  amount            bigint check (amount > 0),
  bank_code         text not null,
  account_number    text not null,
  narration         text,
  reference         text not null,
  has_own_reference boolean not null,
  faults            jsonb not null default '[]',
  bank_name         text,
  account_name      text,
  -- The merchant sees initials, by the rule for transfers.
  name_withheld     boolean not null default false,
  checked           boolean not null default false,
  -- How often the check or the order failed without an answer: the others go first.
  attempts          integer not null default 0,
  outcome           text check (outcome in ('ordered', 'refused')),
  refusal           text,
  -- The transfer that it became.
  transfer          text,
  primary key (batch, line),
  constraint derived_reference check (has_own_reference or reference = batch || '-' || line),
  constraint ordered_is_a_transfer check ((outcome is not distinct from 'ordered') = (transfer is not null)),
  constraint faulty_is_not_ordered check (transfer is null or (faults = '[]' and amount is not null))
);
create index transfer_batch_lines_to_account_idx on transfer_batch_lines (account_number, merchant_id, mode);
-- What is confirmed and not ordered yet.
create index transfer_batch_lines_open_reference_idx on transfer_batch_lines (reference, merchant_id, mode) where outcome is null;

-- What a line pays, to whom and under which reference, cannot change once it is read.
grant select, insert, delete on transfer_batches to collect_payments;
grant update (state, confirmed_at, confirmed_by, confirmed_on, needs_approval, approved_at, approved_by, approver_since, attempts, next_at)
  on transfer_batches to collect_payments;
grant select, insert on transfer_batch_lines to collect_payments;
grant update (faults, bank_name, account_name, name_withheld, checked, attempts, outcome, refusal, transfer) on transfer_batch_lines to collect_payments;
