-- The accounts that accounts issued, as it wrote them: only kept, for an accounts that lost them.
create table account_copies (
  id text primary key,
  copy jsonb not null,
  kept_at timestamptz(6) not null default clock_timestamp()
);
create index account_copies_kept_at_id_idx on account_copies (kept_at, id);

grant select, insert, update on account_copies to collect_payments;
