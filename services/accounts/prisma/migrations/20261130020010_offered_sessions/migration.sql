-- A session that an operator offers from a statement is credited under the id of the offer and no other one, whichever of the offer and a report
-- comes first: both take a lock of the session until they commit, and look after they have it. A function that is volatile sees in each of its
-- statements what was committed before it, also while it waited. See decision 91. The previous release calls none of these functions.

-- Reports share a key, an offer holds it alone. There are as few as the locks that every connection has room for by default, so that no batch
-- exhausts the server's table of locks.
create function session_key(of_bank text, of_session text) returns integer language sql immutable as $$
  select hashtext(of_bank || ' ' || of_session) & 63
$$;

-- Those of the reports whose session is offered under another intake id. The keys are taken in one order, before anything is written.
create function offered_elsewhere(intake_ids text[], banks text[], modes text[], session_ids text[]) returns setof text
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('sessions'), keys.key) from (
    select distinct session_key(r.bank, r.session_id) as key
    from unnest(banks, modes, session_ids) as r (bank, mode, session_id)
    where r.mode = 'live' and r.session_id <> '' order by 1
  ) as keys;
  return query
    select r.intake_id from unnest(intake_ids, banks, modes, session_ids) as r (intake_id, bank, mode, session_id)
    join missed_transfers m on m.bank = r.bank and m.session_id = r.session_id
    where r.mode = 'live' and r.session_id <> '' and m.intake_id <> r.intake_id;
end $$;

-- Offers a session under an intake id. Returns that under which it is credited: another one if it was reported or offered under that before.
create function offer_session(of_bank text, of_session text, under text) returns text language plpgsql as $$
declare
  known text;
begin
  perform pg_advisory_xact_lock(hashtext('sessions'), session_key(of_bank, of_session));
  select t.intake_id into known from inbound_transfers t
    where t.mode = 'live' and t.bank = of_bank and t.session_id = of_session and t.intake_id <> under limit 1;
  if known is not null then
    return known;
  end if;
  insert into missed_transfers (bank, session_id, intake_id) values (of_bank, of_session, under) on conflict (bank, session_id) do nothing;
  select m.intake_id into known from missed_transfers m where m.bank = of_bank and m.session_id = of_session;
  return known;
end $$;
