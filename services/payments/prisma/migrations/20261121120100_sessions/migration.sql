-- Payment sessions, and what they need beside them. Nothing before this release knows these tables; it goes on writing
-- collections as it did.

create table sessions (
  reference text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  merchant_name text not null,
  merchant_reference text,
  opened_by text not null check (opened_by in ('secret_key', 'public_key')),
  amount bigint not null,
  amount_requested bigint not null check (amount_requested > 0),
  amount_received bigint not null default 0 check (amount_received >= 0),
  account_number text not null,
  account_name text not null,
  bank_name text not null,
  is_customer_account boolean not null,
  customer_reference text,
  customer_name text,
  payer_name text,
  payer_email text,
  details_required boolean not null,
  description text,
  redirect_url text,
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'paid', 'underpaid', 'overpaid', 'expired', 'paid_late')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  sent_at timestamptz(3),
  watch_until timestamptz(3) not null,
  paid_at timestamptz(3),
  slot_held boolean not null default true,
  version integer not null default 1,
  -- The kobo suffix: never 0.
  check (amount between amount_requested + 1 and amount_requested + 99),
  check (is_customer_account = (customer_reference is not null)),
  check ((payer_name is null) = (payer_email is null)),
  check (not details_required or (customer_reference is null and customer_name is null and payer_name is null)),
  check (watch_until >= created_at),
  -- What a status says about the money is so.
  check (status not in ('pending', 'processing', 'expired') or amount_received = 0),
  check (status <> 'underpaid' or (amount_received > 0 and amount_received < amount)),
  check (status not in ('paid', 'paid_late') or amount_received >= amount),
  check (status <> 'overpaid' or amount_received > amount),
  check ((status in ('paid', 'overpaid', 'paid_late')) = (paid_at is not null))
);
-- The kobo slot: while it is held, an exact amount on an account means one session. Two sessions of one amount never
-- overlap in [created_at, watch_until), so the newest that was there when money came is the only one it can be for.
-- Every index begins with what tells rows apart best: a plan that is made while the table is empty must choose it too.
create unique index sessions_slot_key on sessions (account_number, mode, amount) where slot_held;
create index sessions_account_number_mode_amount_created_at_idx on sessions (account_number, mode, amount, created_at desc);
create index sessions_open_of_customer_idx on sessions (account_number, mode, created_at desc)
  where is_customer_account and status in ('pending', 'processing', 'underpaid');
create index sessions_missing_idx on sessions (account_number, mode, (amount - amount_received), created_at desc)
  where is_customer_account and status = 'underpaid';
create index sessions_due_idx on sessions (expires_at, reference) where status in ('pending', 'processing');
create index sessions_lapsed_idx on sessions (watch_until) where slot_held;
-- A reference of the merchant's server is one session.
create unique index sessions_merchant_reference_key on sessions (merchant_reference, merchant_id, mode)
  where opened_by = 'secret_key';
-- A public key stands in web pages and orders can be guessed: there only the same call again, before anybody has said who
-- pays, is the same session. Nobody can open one in advance for somebody else, or find the one that somebody else pays.
create unique index sessions_public_call_key on sessions (merchant_reference, merchant_id, mode, amount_requested,
  md5(coalesce(description, '') || chr(10) || coalesce(redirect_url, '')))
  where opened_by = 'public_key' and status = 'pending' and details_required;

-- The merchants' pools of collection accounts: copies of what accounts issued, which never changes.
create table collection_accounts (
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  position integer not null check (position >= 1),
  account_number text not null,
  account_name text not null,
  bank_name text not null,
  primary key (merchant_id, mode, position)
);

-- The largest amount one session may ask for, where a merchant has another than the usual one.
create table amount_limits (
  merchant_id text primary key,
  amount bigint not null check (amount > 0)
);

-- What was quoted to a payer stays as it was.
grant select, insert on sessions to collect_payments;
grant update (status, amount_received, payer_name, payer_email, details_required, expires_at, sent_at, watch_until, paid_at,
  slot_held, version) on sessions to collect_payments;
grant select, insert on collection_accounts to collect_payments;
grant select, insert, update on amount_limits to collect_payments;
