-- Who was shown which signing secret, by its last four characters: written before it is shown.
create table seen_signing_secrets (
  merchant_id text not null references businesses (id) on update cascade on delete restrict,
  mode        text not null check (mode in ('test', 'live')),
  user_id     text not null references users (id) on update cascade on delete restrict,
  ends        text not null check (length(ends) = 4),
  at          timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, mode, user_id, ends)
);
grant select, insert on seen_signing_secrets to collect_dashboard;
