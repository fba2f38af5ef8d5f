-- A URL that has not answered its challenge yet. Events go to `url`, as before: what was set until now counts as confirmed.
alter table endpoints add column unconfirmed_url text;

-- The challenges sent, from which their limits are counted: per merchant and mode, and per host, whoever names it.
create table challenges (
  id bigint generated always as identity primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  url text not null,
  host text not null,
  sent_at timestamptz(3) not null default clock_timestamp(),
  -- Null until it is known, and when it was answered.
  error text,
  answered boolean not null default false
);
create index challenges_of_a_merchant on challenges (merchant_id, mode, sent_at desc);
create index challenges_of_a_host on challenges (host, sent_at desc);
create index challenges_by_age on challenges (sent_at);
grant select, insert, update, delete on challenges to collect_webhooks;
