-- What an operator needs to decide about a business. Only an approval counts: `merchants.verified_at` is set with it.
create table merchant_verifications (
  merchant_id             text primary key references merchants (id) on update cascade on delete restrict,
  state                   text not null check (state in ('draft', 'submitted', 'approved', 'returned')),
  state_since             timestamptz(3) not null,
  details                 jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  settlement_account_name text,
  settlement_bank_name    text,
  reason                  text,
  submitted_at            timestamptz(3),
  decided_at              timestamptz(3),
  -- Questions to the bank since a time: each submission is one, and a merchant has only so many an hour.
  enquiries               integer not null default 0 check (enquiries >= 0),
  enquiries_since         timestamptz(3),
  constraint submitted_with_the_name_the_bank_gave check (
    state <> 'submitted' or (submitted_at is not null and settlement_account_name is not null and settlement_bank_name is not null)
  ),
  constraint returned_with_a_reason check ((state = 'returned') = (reason is not null)),
  constraint decided_at_a_time check ((state in ('approved', 'returned')) = (decided_at is not null))
);
create index merchant_verifications_state_state_since_merchant_id_idx on merchant_verifications (state, state_since, merchant_id);

-- The request log of the merchant API: nothing secret is in it. Without a foreign key: writing it must not wait for a merchant's row.
create table api_calls (
  id          bigserial primary key,
  merchant_id text not null,
  mode        text not null check (mode in ('test', 'live')),
  at          timestamptz(3) not null,
  request_id  text not null check (length(request_id) <= 100),
  method      text not null check (method in ('GET', 'HEAD', 'POST')),
  path        text not null check (length(path) <= 300),
  status      smallint not null,
  outcome     text not null check (outcome in ('ok', 'client_error', 'server_error')),
  code        text,
  duration_ms integer not null,
  -- Prefix and last four, such as sk_test_…3xYz: a whole key is longer.
  key         text not null check (length(key) <= 16)
);
-- Each outcome and method in order of time; a list of several merges them.
create index api_calls_merchant_id_mode_outcome_method_at_id_idx on api_calls (merchant_id, mode, outcome, method, at, id);
create index api_calls_merchant_id_mode_request_id_idx on api_calls (merchant_id, mode, request_id);
create index api_calls_merchant_id_mode_path_idx on api_calls (merchant_id, mode, path text_pattern_ops);

grant select, insert, update on merchant_verifications to collect_gateway;
grant select, insert, delete on api_calls to collect_gateway;
grant usage on sequence api_calls_id_seq to collect_gateway;
