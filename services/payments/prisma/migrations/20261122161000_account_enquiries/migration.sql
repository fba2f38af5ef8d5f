-- Who asked for the holder of which account: the merchant's budget of enquiries is counted from these rows, and an operator
-- reads in them who tried many accounts. Of an account number only the last four digits are kept, and never the name.
create table account_enquiries (
  id bigint generated always as identity primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  -- An enquiry of its own, or the enquiry of an order that named an account which does not exist.
  purpose text not null check (purpose in ('enquiry', 'order')),
  bank_code text not null,
  last_four text not null,
  -- Who asked, as told by the service that authenticated them, and in which request.
  actor jsonb not null,
  request_id text not null,
  -- Null until the bank has responded.
  answer text check (answer in ('named', 'unresolved', 'failed')),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index account_enquiries_of_a_merchant on account_enquiries (merchant_id, purpose, created_at desc);
create index account_enquiries_by_age on account_enquiries (created_at);
grant select, insert, update, delete on account_enquiries to collect_payments;
