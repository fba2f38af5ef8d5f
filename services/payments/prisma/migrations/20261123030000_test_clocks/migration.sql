-- Copies of the test clocks of merchants, which accounts keeps. While one is ahead of the database's clock, it is the merchant's
-- time in test mode, and stands still; once the database's clock has reached it, that is the time again. Live mode cannot have
-- one: no row can be of live mode, and time_of looks here in test mode only. The previous release reads and writes none of this.
create table test_clocks (
  merchant_id text primary key,
  mode text not null default 'test' check (mode = 'test'),
  at timestamptz(3) not null
);

create function keep_test_clock() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.at < old.at then
    raise exception 'a test clock goes forward only' using errcode = 'check_violation';
  end if;
  -- The services' databases may disagree by a little, never by a day.
  if new.at > clock_timestamp() + interval '401 days' then
    raise exception 'a test clock is at most 400 days ahead' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger test_clocks_keep before insert or update of at on test_clocks for each row execute function keep_test_clock();

-- Volatile, so that each call sees the clock as committed by then, and not as the statement's snapshot saw it.
create function test_time_of(merchant text) returns timestamptz language sql volatile as $$
  select greatest(clock_timestamp(), (select at from test_clocks where merchant_id = merchant and mode = 'test'))
$$;

-- A merchant's time in a mode. Inlined: in live mode it is clock_timestamp() and nothing else.
create function time_of(merchant text, in_mode text) returns timestamptz language sql volatile as $$
  select case in_mode when 'test' then test_time_of(merchant) else clock_timestamp() end
$$;

grant select, insert, update (at) on test_clocks to collect_payments;
