create table merchants (
  id                text primary key,
  name              text not null,
  accounts_per_hour integer not null default 300 check (accounts_per_hour > 0),
  reads_per_hour    integer not null default 600 check (reads_per_hour > 0),
  verified_at       timestamptz(3),
  created_at        timestamptz(3) not null default clock_timestamp()
);

create table api_keys (
  id          bigserial primary key,
  merchant_id text not null references merchants (id) on update cascade on delete restrict,
  mode        text not null check (mode in ('test', 'live')),
  kind        text not null check (kind in ('secret', 'public')),
  hash        bytea not null check (octet_length(hash) = 32),
  last_four   text not null check (length(last_four) = 4),
  public_key  text,
  created_at  timestamptz(3) not null default clock_timestamp(),
  expires_at  timestamptz(3),
  -- A secret key cannot be stored in clear, by whatever mistake.
  constraint only_public_keys_in_clear check ((kind = 'public') = (public_key is not null))
);
create unique index api_keys_hash_key on api_keys (hash);
create index api_keys_merchant_id_mode_kind_idx on api_keys (merchant_id, mode, kind);

-- A live key exists only once the business is verified, whoever writes it.
create function refuse_live_key_of_unverified() returns trigger language plpgsql as $$
begin
  if not exists (select from merchants where id = new.merchant_id and verified_at is not null) then
    raise exception 'merchant % is not verified', new.merchant_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger live_keys_need_verification before insert or update of mode, merchant_id on api_keys
  for each row when (new.mode = 'live') execute function refuse_live_key_of_unverified();

-- Rewritten by every counted call: room in the page keeps the new version beside the old one, away from the index.
create table rate_limit_cells (
  merchant_id text not null references merchants (id) on update cascade on delete restrict,
  budget      text not null check (budget in ('accounts', 'reads')),
  minute      integer not null,
  counts      integer[] check (coalesce(cardinality(counts), 0) = 61),
  primary key (merchant_id, budget)
) with (fillfactor = 40);

-- The minute it is, by this server's clock.
create function this_minute() returns integer language sql volatile parallel safe
  return floor(extract(epoch from clock_timestamp()) / 60)::integer;

-- The cells as they stand some minutes later: new minutes are empty, the oldest fall off. A clock that was set back moves nothing.
create function slid(counts integer[], minutes integer) returns integer[] language sql immutable parallel safe
  return array_fill(0, array[least(greatest(minutes, 0), 61)]) || counts[1 : 61 - least(greatest(minutes, 0), 61)];

create function total(counts integer[]) returns bigint language sql immutable parallel safe
  return (select sum(cell) from unnest(counts) as cell);

create table audit_log (
  id          bigserial primary key,
  merchant_id text not null references merchants (id) on update cascade on delete restrict,
  action      text not null,
  detail      jsonb not null default '{}',
  request_id  text not null,
  at          timestamptz(3) not null default clock_timestamp()
);
create index audit_log_merchant_id_id_idx on audit_log (merchant_id, id);

grant usage on schema public to collect_gateway;
grant select, insert, update on merchants to collect_gateway;
grant select, insert, update on api_keys to collect_gateway;
grant select, insert, update on rate_limit_cells to collect_gateway;
grant select, insert on audit_log to collect_gateway;
grant usage on all sequences in schema public to collect_gateway;
