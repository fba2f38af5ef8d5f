-- ---- sign-in: the tables of better-auth ----

create table users (
  id                 text primary key,
  name               text not null,
  email              text not null check (email = lower(email) and length(email) <= 254),
  email_verified     boolean not null default false,
  image              text,
  two_factor_enabled boolean not null default false,
  created_at         timestamptz(3) not null default clock_timestamp(),
  updated_at         timestamptz(3) not null default clock_timestamp()
);
create unique index users_email_key on users (email);

create table sessions (
  id           text primary key,
  token        text not null,
  user_id      text not null references users (id) on update cascade on delete cascade,
  expires_at   timestamptz(3) not null,
  ip_address   text,
  user_agent   text,
  created_at   timestamptz(3) not null default clock_timestamp(),
  updated_at   timestamptz(3) not null default clock_timestamp(),
  -- A session begins with a proof of who it is, so it is confirmed when it is made.
  confirmed_at timestamptz(3) not null default clock_timestamp()
);
create unique index sessions_token_key on sessions (token);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table accounts (
  id                       text primary key,
  account_id               text not null,
  provider_id              text not null check (provider_id = 'credential'),
  user_id                  text not null references users (id) on update cascade on delete cascade,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope                    text,
  created_at               timestamptz(3) not null default clock_timestamp(),
  updated_at               timestamptz(3) not null default clock_timestamp()
);
create unique index accounts_user_id_provider_id_key on accounts (user_id, provider_id);

create table verifications (
  id         text primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create unique index verifications_identifier_key on verifications (identifier);
create index verifications_expires_at_idx on verifications (expires_at);

create table two_factors (
  id                        text primary key,
  user_id                   text not null references users (id) on update cascade on delete cascade,
  secret                    text not null,
  backup_codes              text not null,
  verified                  boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until              timestamptz(3)
);
create unique index two_factors_user_id_key on two_factors (user_id);

-- Attempts in their windows: worth nothing after a crash.
create unlogged table rate_limit_hits (
  key       text primary key,
  hits      integer not null check (hits > 0),
  resets_at timestamptz(3) not null
) with (fillfactor = 50);
create index rate_limit_hits_resets_at_idx on rate_limit_hits (resets_at);

-- A token cannot be stored in clear, by whatever mistake: 32 bytes are its SHA-256.
create table sign_in_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    text not null references users (id) on update cascade on delete cascade,
  clears     boolean not null default false,
  expires_at timestamptz(3) not null
);
create index sign_in_links_user_id_idx on sign_in_links (user_id);

-- ---- teams ----

create table businesses (
  id            text primary key check (id ~ '^mer_[0-9A-Za-z]{1,76}$'),
  name          text not null,
  founder_id    text references users (id) on update cascade on delete set null,
  verified_at   timestamptz(3),
  created_at    timestamptz(3) not null default clock_timestamp(),
  registered_at timestamptz(3)
);
create unique index businesses_founder_id_name_key on businesses (founder_id, name);
-- What is still to be asked of the gateway.
create index businesses_unregistered_idx on businesses (created_at) where registered_at is null;

create table members (
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  user_id     text not null references users (id) on update cascade on delete restrict,
  role        text not null check (role in ('owner', 'developer', 'viewer')),
  joined_at   timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, user_id)
);
create index members_user_id_idx on members (user_id);

create table invitations (
  id          text primary key,
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  email       text not null check (email = lower(email) and length(email) <= 254),
  role        text not null check (role in ('owner', 'developer', 'viewer')),
  token_hash  bytea not null check (octet_length(token_hash) = 32),
  invited_by  text not null references users (id) on update cascade on delete restrict,
  expires_at  timestamptz(3) not null
);
create unique index invitations_token_hash_key on invitations (token_hash);
create unique index invitations_merchant_id_email_key on invitations (merchant_id, email);

create table audit_log (
  id          bigserial primary key,
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  mode        text check (mode in ('test', 'live')),
  at          timestamptz(3) not null default clock_timestamp(),
  user_id     text references users (id) on update cascade on delete set null,
  action      text not null,
  detail      jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
  outcome     text not null default 'unknown' check (outcome in ('unknown', 'done', 'refused')),
  request_id  text not null check (length(request_id) <= 100)
);
create index audit_log_merchant_id_id_idx on audit_log (merchant_id, id);

-- An outcome that is known stays as it is, whoever asks.
create function refuse_second_outcome() returns trigger language plpgsql as $$
begin
  raise exception 'the outcome of audit entry % is known', old.id using errcode = 'check_violation';
end $$;
create trigger an_outcome_is_told_once before update on audit_log
  for each row when (old.outcome <> 'unknown') execute function refuse_second_outcome();

grant usage on schema public to collect_dashboard;
grant select, insert, update on users to collect_dashboard;
grant select, insert, update, delete on sessions, accounts, verifications, two_factors to collect_dashboard;
grant select, insert, update, delete on rate_limit_hits to collect_dashboard;
grant select, insert, delete on sign_in_links to collect_dashboard;
grant select, insert, update on businesses to collect_dashboard;
grant select, insert, update, delete on members, invitations to collect_dashboard;
grant select, insert, update (outcome) on audit_log to collect_dashboard;
grant usage on sequence audit_log_id_seq to collect_dashboard;
