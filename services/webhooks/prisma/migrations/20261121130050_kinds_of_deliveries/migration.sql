-- What is there gets the kind and the time of its event; the few that were made later, for another URL, are dated too early by
-- that. Alone in its migration, so that it can commit a thousand at a time: nothing waits longer than for one of those. It
-- leaves out what is being written at that moment; as what the previous release writes from here on, that has no kind, and is
-- found by its event. Made again it goes on where it stopped.
do $$
declare
  place bigint := 0;
  newest bigint := (select coalesce(max(number), 0) from deliveries);
begin
  while place < newest loop
    with free as (
      select number, merchant_id, mode, sequence from deliveries
      where number > place and number <= place + 1000 and kind = '' for update skip locked
    )
    update deliveries d set kind = e.kind, created_at = coalesce(d.created_at, e.created_at)
      from free f, lateral (
        select kind, created_at from events where (merchant_id, mode, sequence) = (f.merchant_id, f.mode, f.sequence) limit 1) e
      where d.number = f.number and d.number > place and d.number <= place + 1000;
    commit;
    place := place + 1000;
  end loop;
end $$;
