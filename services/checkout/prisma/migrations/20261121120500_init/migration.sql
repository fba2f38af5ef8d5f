-- checkout keeps copies only: everything here can be lost and is read from payments again. The service runs as collect_checkout.

create table session_views (
  reference text primary key,
  version bigint not null check (version > 0),
  snapshot jsonb not null,
  refreshed_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 80);

-- Counts of one window need not survive a crash. Rewritten by every counted call: room in the page keeps the new version beside the old one.
create unlogged table rate_limit_hits (
  key text primary key,
  hits integer not null check (hits > 0),
  resets_at timestamptz(3) not null
) with (fillfactor = 50);
create index rate_limit_hits_resets_at_idx on rate_limit_hits (resets_at);

create table dead_letters (
  consumer text not null,
  natural_key text not null,
  subject text not null,
  fact text not null,
  error text not null,
  times integer not null default 1,
  first_at timestamptz(3) not null default clock_timestamp(),
  last_at timestamptz(3) not null default clock_timestamp(),
  primary key (consumer, natural_key)
);

grant usage on schema public to collect_checkout;
grant select, insert, update on session_views to collect_checkout;
grant select, insert, update, delete on rate_limit_hits to collect_checkout;
grant select, insert, update, delete on dead_letters to collect_checkout;
