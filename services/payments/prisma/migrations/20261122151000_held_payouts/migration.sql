-- The operator's switch for all live payouts: one row, which the statement that claims a payout for sending locks and reads.
create table payout_switch (
  id         smallint primary key default 1 check (id = 1),
  stopped    boolean not null default false,
  reason     text,
  changed_at timestamptz(3) not null default clock_timestamp(),
  request_id text not null default ''
);
insert into payout_switch default values;

-- What it was set to before: written with it, and never changed.
create table payout_switch_changes (
  id         bigserial primary key,
  stopped    boolean not null,
  reason     text not null,
  changed_at timestamptz(3) not null,
  request_id text not null
);

-- Why an accepted order waits, while it does.
alter table transfers add column held_for text;
alter table transfers add constraint held_before_it_is_sent
  check (held_for is null or (step = 'reserved' and held_for in ('merchant_suspended', 'payouts_stopped'))) not valid;

grant select, update on payout_switch to collect_payments;
grant select, insert on payout_switch_changes to collect_payments;
grant usage on sequence payout_switch_changes_id_seq to collect_payments;
