-- What somebody was in a team, and until when: who has left may still know its keys.
create table former_roles (
  id          bigserial primary key,
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  user_id     text not null references users (id) on update cascade on delete restrict,
  role        text not null,
  until       timestamptz(3) not null default clock_timestamp()
);
create index former_roles_merchant_id_id_idx on former_roles (merchant_id, id);
create index former_roles_user_id_idx on former_roles (user_id);

-- By a trigger, because several statements change teams, and those of the previous release as well.
create function note_former_role() returns trigger language plpgsql as $$
begin
  insert into former_roles (merchant_id, user_id, role) values (old.merchant_id, old.user_id, old.role);
  return null;
end $$;
create trigger note_role_on_leaving after delete on members for each row execute function note_former_role();
create trigger note_role_on_change after update of role on members
  for each row when (old.role <> new.role) execute function note_former_role();

-- The keys that an owner decided to keep although somebody who has left had seen them.
create table kept_keys (
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  mode        text not null check (mode in ('test', 'live')),
  key_id      text not null check (key_id ~ '^\d{1,18}$'),
  user_id     text not null references users (id) on update cascade on delete restrict,
  kept_by     text not null references users (id) on update cascade on delete restrict,
  at          timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, mode, key_id, user_id)
);

grant select, insert on former_roles, kept_keys to collect_dashboard;
grant usage on sequence former_roles_id_seq to collect_dashboard;
