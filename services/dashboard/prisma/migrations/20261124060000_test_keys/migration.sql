-- The newest test secret key of each merchant, sealed by the keyring. Live keys are never stored, and none is stored in clear.
create table test_keys (
  merchant_id text primary key references businesses (id) on update cascade on delete restrict,
  last_four   text not null check (length(last_four) = 4),
  sealed      text not null check (sealed like 'sealed:%')
);

-- Who was shown which of them, by the gateway's id of the key: written before it is shown.
create table seen_test_keys (
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  user_id     text not null references users (id) on update cascade on delete restrict,
  key_id      text not null check (key_id ~ '^\d{1,18}$'),
  at          timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, user_id, key_id)
);

grant select, insert, update on test_keys to collect_dashboard;
grant select, insert on seen_test_keys to collect_dashboard;
