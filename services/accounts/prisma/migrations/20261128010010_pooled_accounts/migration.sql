-- Accounts of partners that open them without an idempotency key: opened ahead, and given out by renaming them.
create table pooled_accounts (
  -- Also its provisional name at the partner, by which a person finds an account whose answer was lost.
  id text primary key,
  partner text not null,
  -- Committed as `opening` before the partner is called: a lost answer leaves it so.
  state text not null default 'opening' check (state in ('opening', 'free', 'given', 'set_aside')),
  account_number text,
  bank_name text,
  -- The customer's or collection account that has it.
  account_id text,
  -- Why it is never given out.
  reason text,
  created_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3) not null default clock_timestamp(),
  check (state <> 'opening' or account_number is null),
  check (state not in ('free', 'given') or (account_number is not null and bank_name is not null)),
  check ((state = 'given') = (account_id is not null)),
  check ((state = 'set_aside') = (reason is not null))
);
create unique index pooled_accounts_partner_account_number_key on pooled_accounts (partner, account_number);
create unique index pooled_accounts_partner_account_id_key on pooled_accounts (partner, account_id);
create index pooled_accounts_partner_state_created_at_idx on pooled_accounts (partner, state, created_at);

-- One replica at a time fills the pool of a partner, and not again before this time.
create table pool_leases (
  partner text primary key,
  lease_until timestamptz(3) not null
);

grant select, insert, update on pooled_accounts to collect_accounts;
grant select, insert, update on pool_leases to collect_accounts;
