-- What other services need of payments when their database was restored to an earlier moment. The previous release writes
-- none of it: what it stores cannot be learned again from here.

-- What the bank called the money, as accounts knew it.
alter table collections add column source jsonb;

-- When a transfer last came to another step.
alter table transfers add column touched_at timestamptz(6);
create function touch_transfer() returns trigger language plpgsql as $$
begin
  new.touched_at := clock_timestamp();
  return new;
end $$;
create trigger transfers_made before insert on transfers for each row execute function touch_transfer();
create trigger transfers_moved before update on transfers for each row
  when ((old.step, old.status) is distinct from (new.step, new.status)) execute function touch_transfer();

create table event_numbers (
  key text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  sequence bigint not null check (sequence > 0),
  delivery_number bigint,
  recorded_at timestamptz(3) not null,
  kept_at timestamptz(6) not null default clock_timestamp()
);
create index event_numbers_kept_at_key_idx on event_numbers (kept_at, key);

grant select, insert on event_numbers to collect_payments;
