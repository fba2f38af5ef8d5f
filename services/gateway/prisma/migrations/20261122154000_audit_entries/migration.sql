-- One append-only log of what persons and keys do. Each merchant has a chain, and '' is the one for what concerns none.
create table audit_entries (
  chain             text not null,
  seq               bigint not null check (seq > 0),
  -- The natural key of an act that can arrive twice: an operator's signature, or the row of another log.
  key               text unique,
  merchant_id       text,
  mode              text check (mode in ('test', 'live')),
  actor_kind        text not null check (actor_kind in ('member', 'key', 'operator', 'system', 'anonymous')),
  actor_id          text,
  actor_label       text not null,
  action            text not null,
  -- The text that the hash covers: JSON with sorted keys.
  detail            text not null check (jsonb_typeof(detail::jsonb) = 'object'),
  -- An act is recorded before it is done, as unknown; its outcome is an entry of its own about it.
  outcome           text not null check (outcome in ('unknown', 'done', 'refused')),
  about             bigint check (about < seq),
  request_id        text not null,
  client_request_id text,
  at                timestamptz(3) not null,
  previous          bytea not null check (length(previous) = 32),
  hash              bytea not null check (length(hash) = 32),
  primary key (chain, seq),
  constraint a_chain_is_a_merchants check (chain = coalesce(merchant_id, '')),
  constraint an_outcome_is_known check (about is null or outcome <> 'unknown')
);
-- The first outcome told stays.
create unique index audit_entries_chain_about_key on audit_entries (chain, about);
create index audit_entries_at_idx on audit_entries (at);
create index first_entries on audit_entries (chain) where seq = 1;

create function refuse_change_of_audit_entries() returns trigger language plpgsql as $$
begin
  raise exception 'audit_entries is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_are_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change_of_audit_entries();

-- Operators are persons; each has one key or more. A row is never deleted: a removed key stays removed.
create table operator_keys (
  public_key text primary key,
  name       text not null,
  added_at   timestamptz(3) not null default clock_timestamp(),
  removed_at timestamptz(3)
);
create index operator_keys_name_idx on operator_keys (name);

-- What one operator ordered and another has to approve, with the exact input.
create table proposals (
  id          text primary key,
  subject     text not null,
  body        text not null,
  proposed_by text not null,
  proposed_at timestamptz(3) not null default clock_timestamp(),
  expires_at  timestamptz(3) not null,
  state       text not null default 'waiting' check (state in ('waiting', 'approved', 'cancelled')),
  decided_by  text,
  decided_at  timestamptz(3),
  constraint another_decides check (state <> 'approved' or decided_by <> proposed_by)
);
create index proposals_proposed_at_idx on proposals (proposed_at);

grant select, insert on audit_entries to collect_gateway;
grant select, insert, update (removed_at) on operator_keys to collect_gateway;
grant select, insert, update (state, decided_by, decided_at) on proposals to collect_gateway;
