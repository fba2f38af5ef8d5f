-- A server of ours for merchants that have none yet: an address that cannot be guessed, and how it answers. Test mode only.
create table test_receivers (
  merchant_id text primary key references businesses (id) on update cascade on delete restrict,
  token       text not null unique check (token ~ '^[A-Za-z0-9_-]{43}$'),
  behavior    text not null default 'ok' check (behavior in ('ok', 'error', 'timeout'))
);

-- The newest of what each of them received, for a day. `fault` is why the signature was not accepted; `answered` is the status of
-- the response, null if there was none. Nothing that says it is of live mode is stored.
create table received_webhooks (
  id          bigint generated always as identity primary key,
  merchant_id text not null references test_receivers (merchant_id) on update cascade on delete restrict,
  received_at timestamptz(3) not null default clock_timestamp(),
  webhook_id  text check (length(webhook_id) <= 200),
  headers     jsonb not null,
  body        text not null check (length(body) <= 65536),
  fault       text,
  answered    smallint
);
create index received_webhooks_merchant_id_id_idx on received_webhooks (merchant_id, id desc);
create index received_webhooks_received_at_idx on received_webhooks (received_at);

grant select, insert, update (behavior) on test_receivers to collect_dashboard;
grant select, insert, delete on received_webhooks to collect_dashboard;
