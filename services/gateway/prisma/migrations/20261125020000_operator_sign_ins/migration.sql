-- How an operator signs in to the operators' pages. The secret of the authenticator is encrypted under the password, so that
-- neither is stored: who can decrypt it knew the password.
create table operator_sign_ins (
  name           text primary key,
  sealed         bytea not null check (length(sealed) between 60 and 200),
  -- The half minute of the last code that was accepted: none is accepted twice.
  last_step      bigint not null,
  -- Attempts since `attempts_since` that were not a sign-in.
  attempts       integer not null default 0 check (attempts >= 0),
  attempts_since timestamptz(3) not null default clock_timestamp(),
  set_up_at      timestamptz(3) not null default clock_timestamp()
);

grant select, insert, update (last_step, attempts, attempts_since), delete on operator_sign_ins to collect_gateway;
