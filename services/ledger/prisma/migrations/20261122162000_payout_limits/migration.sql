-- How much a merchant may pay out, and above what amount a second person must approve. A limit is never changed: a new row
-- replaces the one before it, from a time on. The operator's rows bound the merchant's own.
create table payout_limits (
  id bigint generated always as identity primary key,
  merchant_id text not null,
  set_by text not null check (set_by in ('operator', 'merchant')),
  -- In kobo; null is no limit.
  transfer_max bigint check (transfer_max >= 0),
  day_max bigint check (day_max >= 0),
  approval_above bigint check (approval_above >= 0),
  effective_at timestamptz(6) not null,
  created_at timestamptz(6) not null default clock_timestamp()
);
create index payout_limits_merchant_id_set_by_id_idx on payout_limits (merchant_id, set_by, id desc);
create trigger payout_limits_stay before update or delete or truncate on payout_limits
  for each statement execute function refuse_change();

-- What a merchant ordered on a day in Lagos, less what failed: what the limit of a day is compared with.
create table payout_days (
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  day date not null,
  amount bigint not null check (amount >= 0),
  primary key (merchant_id, mode, day)
);

-- Decided once, with the reserve. The previous release writes neither: its refusals are for the balance.
-- `counted_on` is the day on whose sum it counts; null for what was refused or restored.
alter table transfer_reserves
  add column refusal text,
  add column approval_required boolean not null default false,
  add column counted_on date;
alter table transfer_reserves add constraint transfer_reserves_refusal_check
  check (refusal in ('balance', 'transfer_limit', 'day_limit')) not valid;

grant select, insert on payout_limits to collect_ledger;
grant select, insert, update on payout_days to collect_ledger;
