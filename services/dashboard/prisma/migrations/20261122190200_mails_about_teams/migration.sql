-- Who of a merchant's team a notice is for. The previous release writes to the owners only.
alter table notices add column roles text[] default '{owner}' check (roles is not null);

-- A user's first second factor needs the password again and a code that was mailed, both in the session that sets it up. The code is
-- derived from its occasion, so that it is in no table.
create table enrolments (
  session_id      text primary key references sessions (id) on update cascade on delete cascade,
  -- Null once the code was used, and for a user who gave a second factor instead.
  occasion        text,
  attempts        integer not null default 0 check (attempts >= 0),
  expires_at      timestamptz(3) not null,
  permitted_until timestamptz(3),
  constraint waiting_or_permitted check ((occasion is null) = (permitted_until is not null))
);
grant select, insert, update, delete on enrolments to collect_dashboard;

-- From where an act was done is known to the service, not to these triggers: their notices wait a few seconds for it.
create or replace function note_two_factor() returns trigger language plpgsql as $$
begin
  insert into notices (kind, user_id, due_at) values (
    case when new.two_factor_enabled then 'two_factor_on' else 'two_factor_off' end, new.id, clock_timestamp() + interval '5 seconds');
  return null;
end $$;

create or replace function note_password() returns trigger language plpgsql as $$
begin
  insert into notices (kind, user_id, due_at) values ('password_changed', new.user_id, clock_timestamp() + interval '5 seconds');
  return null;
end $$;

create or replace function note_passkey() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into notices (kind, user_id, detail, due_at)
    values ('passkey_added', new.user_id, jsonb_build_object('name', new.name), clock_timestamp() + interval '5 seconds');
  else
    insert into notices (kind, user_id, detail, due_at)
    values ('passkey_removed', old.user_id, jsonb_build_object('name', old.name), clock_timestamp() + interval '5 seconds');
  end if;
  return null;
end $$;
