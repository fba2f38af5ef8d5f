-- Our accounts at banks, their statements, what we know that should be in them, and the days that were closed against each other.
-- Amounts are kobo; what reaches an account is positive. A day is one of Africa/Lagos.

create table bank_accounts (
  number text primary key,
  -- The partner whose transfers it receives, as accounts stores them.
  bank text not null,
  pays_out boolean not null,
  charge_words text[] default '{}' check (charge_words is not null),
  mapping jsonb,
  set_at timestamptz(3) not null default clock_timestamp()
);
create unique index bank_accounts_bank_key on bank_accounts (bank);
create unique index bank_accounts_pays_out_key on bank_accounts (pays_out) where pays_out;

-- Parts of files until they are imported, or for an hour.
create table file_parts (
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  part integer not null check (part between 1 and 4),
  data bytea not null,
  put_at timestamptz(3) not null default clock_timestamp(),
  primary key (hash, part)
);

create table files (
  hash text primary key,
  name text not null,
  imported_at timestamptz(3) not null default clock_timestamp(),
  imported_by text not null
);

create table statements (
  id bigint generated always as identity primary key,
  account text not null references bank_accounts (number),
  file text not null references files (hash),
  number text,
  from_on date not null,
  to_on date not null,
  opening bigint not null,
  closing bigint not null,
  line_count integer not null,
  check (from_on <= to_on)
);
create unique index statements_account_from_on_key on statements (account, from_on);

-- Lines and movements with the same match belong together. Its id is the lowest of its lines, so that finding it again changes
-- nothing. Matches by hand have a person, and are kept.
create table matches (
  id bigint primary key,
  evidence text not null check (evidence in ('session', 'reference', 'settlement', 'amount', 'hand')),
  made_by text,
  made_at timestamptz(3) not null default clock_timestamp(),
  check ((evidence = 'hand') = (made_by is not null))
);
create index matches_amount_idx on matches (made_at) where evidence = 'amount';

-- A line of a statement, or a part of a batched one.
create table lines (
  id bigint generated always as identity primary key,
  statement_id bigint not null references statements (id),
  position integer not null,
  part integer not null default 0,
  account text not null,
  booked_on date not null,
  value_on date not null,
  amount bigint not null,
  session_id text,
  refs text[] check (refs is not null),
  narration text not null,
  is_charge boolean not null,
  match_id bigint references matches (id)
);
create unique index lines_statement_id_position_part_key on lines (statement_id, position, part);
create index lines_booked_on_idx on lines (booked_on);
create index lines_match_id_idx on lines (match_id);
create index lines_open_idx on lines (account, booked_on) where match_id is null;

-- Under which id of the bank the money of a line was offered to accounts: one of each line, and of each account one line of each, so that no
-- line is credited twice.
create table offers (
  line_id bigint primary key references lines (id),
  account text not null,
  bank_transfer_id text not null,
  account_number text not null,
  amount bigint not null check (amount > 0),
  offered_at timestamptz(3) not null default clock_timestamp()
);
create unique index offers_account_bank_transfer_id_key on offers (account, bank_transfer_id);

-- What partner banks reported to us, and payouts. The key says which: `intake id`, `payout id`, `payout id:reversed`.
create table movements (
  key text collate "C" primary key,
  account text not null references bank_accounts (number),
  amount bigint not null check (amount <> 0),
  occurred_on date not null,
  -- The day that our books have it on; null while they do not. A day that was closed before takes nothing more: it counts on the
  -- first one after it.
  booked_on date,
  is_void boolean not null default false,
  session_id text,
  settlement_id text,
  refs text[] check (refs is not null),
  match_id bigint references matches (id),
  check (not is_void or booked_on is null)
);
create index movements_booked_on_idx on movements (booked_on);
create index movements_match_id_idx on movements (match_id);
create index movements_open_idx on movements (account, occurred_on) where match_id is null and not is_void;

-- How far the movements of each service were read.
create table positions (
  source text primary key check (source in ('accounts', 'payments')),
  at timestamptz(6) not null,
  key text not null,
  -- Grows each time that it goes back: a reading that began before does not move it forward.
  generation integer not null default 0,
  -- Everything before this time was read.
  complete_to timestamptz(3) not null
);

-- A reason for one item of a day's difference, as long as it has this amount.
create table explanations (
  day date not null,
  item text not null,
  amount bigint not null,
  reason text not null,
  explained_by text not null,
  explained_at timestamptz(3) not null default clock_timestamp(),
  primary key (day, item)
);

create table closings (
  id bigint generated always as identity primary key,
  day date not null,
  sheet jsonb not null,
  closed_by text not null,
  closed_at timestamptz(3) not null default clock_timestamp(),
  reopened_by text,
  reopened_at timestamptz(3),
  reason text,
  check (num_nonnulls(reopened_by, reopened_at, reason) in (0, 3))
);
create unique index closings_day_key on closings (day) where reopened_at is null;

create function is_closed(on_day date) returns boolean language sql stable as $$
  select exists (select from closings where day >= on_day and reopened_at is null)
$$;

create function is_weak(of_match bigint) returns boolean language sql stable as $$
  select exists (select from matches where id = of_match and evidence = 'amount')
$$;

create function refuse_closed() returns trigger language plpgsql as $$
declare
  wrong date;
begin
  -- A closing holds it alone, so no change that has seen the day open commits after its sheet is made.
  perform pg_advisory_xact_lock_shared(hashtext('closings'));
  if tg_table_name = 'explanations' then
    if is_closed(new.day) then wrong := new.day; end if;
  -- A match may still be found for what was open when its day was closed, and one by the amount alone be undone by better evidence;
  -- nothing else changes.
  elsif tg_op = 'UPDATE' and to_jsonb(old) - 'match_id' = to_jsonb(new) - 'match_id' and (
      old.match_id is null or is_weak(old.match_id)) then
    return new;
  elsif tg_op = 'UPDATE' and to_jsonb(old) = to_jsonb(new) then
    return new;
  elsif is_closed(new.booked_on) then
    wrong := new.booked_on;
  elsif tg_op = 'UPDATE' and is_closed(old.booked_on) then
    wrong := old.booked_on;
  end if;
  if wrong is not null then
    raise exception 'the day % is closed', wrong using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger lines_of_open_days before insert or update on lines for each row execute function refuse_closed();
create trigger movements_of_open_days before insert or update on movements for each row execute function refuse_closed();
create trigger explanations_of_open_days before insert or update on explanations for each row execute function refuse_closed();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Only the last statement of an account can be withdrawn, and only while all of its days are open.
create function refuse_withdrawal() returns trigger language plpgsql as $$
declare
  first date := (to_jsonb(old) ->> case tg_table_name when 'lines' then 'booked_on' else 'from_on' end)::date;
begin
  perform pg_advisory_xact_lock_shared(hashtext('closings'));
  if is_closed(first) then
    raise exception 'the day % is closed', first using errcode = 'restrict_violation';
  end if;
  if tg_table_name = 'statements' and exists (select from statements where account = old.account and from_on > first) then
    raise exception 'a later statement of the account follows it, so it is refused' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;

create trigger lines_stay before truncate on lines for each statement execute function refuse_change();
create trigger lines_are_withdrawn before delete on lines for each row execute function refuse_withdrawal();
create trigger statements_stay before update or truncate on statements for each statement execute function refuse_change();
create trigger statements_are_withdrawn before delete on statements for each row execute function refuse_withdrawal();
create trigger closings_stay before delete or truncate on closings for each statement execute function refuse_change();

-- A closing is undone once, and its sheet stays.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if old.reopened_at is not null or (new.day, new.sheet, new.closed_by, new.closed_at) is distinct from
      (old.day, old.sheet, old.closed_by, old.closed_at) then
    raise exception 'a closing is only undone, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger closings_are_undone before update on closings for each row execute function refuse_rewriting();

grant select, insert, update on bank_accounts, movements, explanations to collect_statements;
grant select, insert, update on positions to collect_statements;
grant select, insert, delete on files, statements to collect_statements;
grant select, insert on offers to collect_statements;
grant select, insert, update, delete on file_parts to collect_statements;
grant select, insert, delete on matches to collect_statements;
grant select, insert, delete on lines to collect_statements;
grant update (match_id) on lines to collect_statements;
grant select, insert on closings to collect_statements;
grant update (reopened_by, reopened_at, reason) on closings to collect_statements;
