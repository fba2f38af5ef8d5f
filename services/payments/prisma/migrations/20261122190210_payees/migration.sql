-- The accounts that a merchant has ordered a live payout to, each with its first transfer: the team is notified of a new one. Written
-- in the transaction that the order becomes valid in, whichever release or way it is by.
create table payees (
  merchant_id     text not null,
  bank_code       text not null,
  account_number  text not null,
  reference       text not null,
  ordered_at      timestamptz(3) not null default clock_timestamp(),
  -- The announcement that names it: the reference of one of its payees. Null until it is assigned.
  announcement    text,
  announced_at    timestamptz(3),
  -- When the dashboard acknowledged it.
  acknowledged_at timestamptz(3),
  primary key (merchant_id, bank_code, account_number),
  constraint assigned_before_it_is_acknowledged check (acknowledged_at is null or announcement is not null),
  constraint assigned_at_a_time check ((announcement is null) = (announced_at is null))
);
create unique index payees_reference_key on payees (reference);
create index payees_unassigned on payees (merchant_id, ordered_at) where announcement is null;
create index payees_unacknowledged on payees (announcement) where announcement is not null and acknowledged_at is null;
create index payees_of_an_announcement on payees (merchant_id, announced_at desc) where announced_at is not null;
grant select, insert, update on payees to collect_payments;

create function note_payee() returns trigger language plpgsql as $$
begin
  insert into payees (merchant_id, bank_code, account_number, reference)
  values (new.merchant_id, new.bank_code, new.account_number, new.reference) on conflict do nothing;
  return null;
end $$;
create trigger a_restored_payout_has_a_payee after insert on transfers
  for each row when (new.mode = 'live' and new.step not in ('created', 'refused')) execute function note_payee();
create trigger a_reserved_payout_has_a_payee after update of step on transfers
  for each row when (new.mode = 'live' and old.step = 'created' and new.step not in ('created', 'refused')) execute function note_payee();
