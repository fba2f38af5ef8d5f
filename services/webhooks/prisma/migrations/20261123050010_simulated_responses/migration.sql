-- What merchants have their servers do, in a sandbox scenario, with the first attempts to deliver an event: one response for each
-- of them. Live mode has none, here and in the deliveries that they come to.
create table simulated_responses (
  event_key text primary key,
  merchant_id text not null,
  mode text not null check (mode = 'test'),
  responses text[] check (responses is not null and cardinality(responses) between 1 and 15),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index simulated_responses_by_age on simulated_responses (created_at);
grant select, insert, delete on simulated_responses to collect_webhooks;

alter table deliveries add column simulated text[];
alter table deliveries add constraint deliveries_simulated_in_test_mode check (simulated is null or mode = 'test') not valid;
