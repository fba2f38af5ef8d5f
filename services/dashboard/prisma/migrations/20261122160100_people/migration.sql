-- ---- mail ----

-- What a person must be told by mail: written in the transaction of the act itself, by triggers where better-auth writes, and
-- turned into mails by the worker. A session's notice waits for the server to say whether the browser is known.
create table notices (
  id          bigint generated always as identity primary key,
  key         text,
  kind        text not null,
  user_id     text,
  merchant_id text,
  detail      jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
  at          timestamptz(3) not null default clock_timestamp(),
  due_at      timestamptz(3) not null default clock_timestamp(),
  constraint about_a_user_or_a_merchant check (num_nonnulls(user_id, merchant_id) = 1)
);
create unique index notices_key_key on notices (key);
create index notices_due_at_idx on notices (due_at);

-- One mail to one recipient about one occasion. `due_at` is null once it was sent, or given up.
create table mails (
  occasion   text not null check (length(occasion) <= 300),
  recipient  text not null check (recipient = lower(recipient) and length(recipient) <= 254),
  kind       text not null,
  detail     jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
  attempts   integer not null default 0 check (attempts >= 0),
  created_at timestamptz(3) not null default clock_timestamp(),
  due_at     timestamptz(3) default clock_timestamp(),
  sent_at    timestamptz(3),
  failure    text,
  primary key (occasion, recipient),
  constraint sent_or_due_or_given_up check (due_at is null or sent_at is null)
);
create index mails_due_at_idx on mails (due_at) where due_at is not null;
create index mails_created_at_idx on mails (created_at);

-- A link that proves an address, or permits a new password. As with sign-in links, only the token's SHA-256 is stored.
create table mailed_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  kind       text not null check (kind in ('confirm_address', 'reset_password')),
  user_id    text not null references users (id) on update cascade on delete cascade,
  expires_at timestamptz(3) not null
);
create index mailed_links_user_id_idx on mailed_links (user_id);
create index mailed_links_expires_at_idx on mailed_links (expires_at);

-- Whether the link went to the address only, so that who uses it has proven the address.
alter table invitations add column mailed boolean not null default false;

-- ---- browsers and second factors ----

create table devices (
  user_id      text not null references users (id) on update cascade on delete cascade,
  device       text not null,
  last_seen_at timestamptz(3) not null default clock_timestamp(),
  primary key (user_id, device)
);

create table passkeys (
  id            text primary key,
  name          text,
  public_key    text not null,
  user_id       text not null references users (id) on update cascade on delete cascade,
  credential_id text not null,
  counter       integer not null,
  device_type   text not null,
  backed_up     boolean not null,
  transports    text,
  created_at    timestamptz(3) default clock_timestamp(),
  aaguid        text
);
create unique index passkeys_credential_id_key on passkeys (credential_id);
create index passkeys_user_id_idx on passkeys (user_id);

alter table sessions
  -- Whether a second factor was given in this session: a code, or a passkey that verified its user.
  add column second_factor boolean not null default false,
  -- To the minute, and only for calls that a person caused. The time of this migration for older sessions: unlike the clock's
  -- it is one for all rows, so the table is not rewritten.
  add column last_used_at timestamptz(3) not null default now();
alter table sessions alter column last_used_at set default clock_timestamp();

-- ---- what better-auth changes is noted in its own transaction ----

create function note_new_user() returns trigger language plpgsql as $$
begin
  insert into notices (key, kind, user_id) values ('user_created:' || new.id, 'user_created', new.id);
  return null;
end $$;
create trigger a_new_address_is_to_be_confirmed after insert on users
  for each row when (not new.email_verified) execute function note_new_user();

create function note_two_factor() returns trigger language plpgsql as $$
begin
  insert into notices (kind, user_id) values (case when new.two_factor_enabled then 'two_factor_on' else 'two_factor_off' end, new.id);
  return null;
end $$;
create trigger a_changed_second_factor_is_noted after update on users
  for each row when (old.two_factor_enabled is distinct from new.two_factor_enabled) execute function note_two_factor();

create function note_password() returns trigger language plpgsql as $$
begin
  insert into notices (kind, user_id) values ('password_changed', new.user_id);
  return null;
end $$;
create trigger a_first_password_is_noted after insert on accounts
  for each row when (new.password is not null) execute function note_password();
create trigger a_changed_password_is_noted after update on accounts
  for each row when (new.password is not null and old.password is distinct from new.password) execute function note_password();

create function note_passkey() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into notices (kind, user_id, detail) values ('passkey_added', new.user_id, jsonb_build_object('name', new.name));
  else
    insert into notices (kind, user_id, detail) values ('passkey_removed', old.user_id, jsonb_build_object('name', old.name));
  end if;
  return null;
end $$;
create trigger a_passkey_is_noted after insert or delete on passkeys for each row execute function note_passkey();

create function note_sign_in() returns trigger language plpgsql as $$
begin
  insert into notices (key, kind, user_id, detail, due_at) values ('signed_in:' || new.id, 'signed_in', new.user_id,
    jsonb_build_object('ip', new.ip_address, 'user_agent', new.user_agent), clock_timestamp() + interval '10 seconds');
  return null;
end $$;
create trigger a_sign_in_is_noted after insert on sessions for each row execute function note_sign_in();

grant select, insert, update, delete on notices, mails, mailed_links, devices, passkeys to collect_dashboard;
