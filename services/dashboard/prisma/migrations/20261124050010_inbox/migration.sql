-- Who takes care of what the Inbox lists, and what is done. What it lists is read from the other services.
create table inbox_items (
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  mode        text not null check (mode in ('test', 'live')),
  kind        text not null check (kind in ('unmatched', 'underpaid', 'overpaid', 'failed', 'reversed', 'approval', 'webhook', 'verification')),
  reference   text not null check (length(reference) between 1 and 100),
  -- Only while that person is a member: who has left takes care of nothing.
  owner_id    text references users (id) on update cascade on delete restrict,
  done_at     timestamptz(3),
  done_by     text references users (id) on update cascade on delete restrict,
  note        text check (length(note) <= 500),
  primary key (merchant_id, mode, kind, reference),
  constraint done_by_a_person check ((done_at is null) = (done_by is null) and (done_at is not null or note is null)),
  constraint ends_by_itself check (done_at is null or kind not in ('approval', 'webhook', 'verification'))
);
create index inbox_items_done_idx on inbox_items (merchant_id, mode, kind, done_at desc, reference desc) where done_at is not null;
grant select, insert, update on inbox_items to collect_dashboard;
