-- What a link collected is less what banks took back of it. The previous release reads the same column.
create or replace function count_link_changes() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select n.payment_link as slug, sum((n.status <> 'expired')::integer - (o.status <> 'expired')::integer) as uses,
      sum((n.status in ('pending', 'processing'))::integer - (o.status in ('pending', 'processing'))::integer) as uses_unpaid,
      sum((n.amount_received - n.amount_reversed) - (o.amount_received - o.amount_reversed)) as collected
    from changed n cross join lateral (
      select status, amount_received, amount_reversed from former where reference = n.reference limit 1
    ) o
    where n.payment_link is not null
      and ((n.status <> 'expired') <> (o.status <> 'expired') or n.amount_received <> o.amount_received
        or n.amount_reversed <> o.amount_reversed
        or (n.status in ('pending', 'processing')) <> (o.status in ('pending', 'processing')))
    group by n.payment_link order by n.payment_link
  loop
    update payment_links set uses = uses + change.uses, uses_unpaid = uses_unpaid + change.uses_unpaid,
      collected = collected + change.collected
    where slug = change.slug;
  end loop;
  return null;
end $$;
