-- A lost session that a recovery inserts as expired takes no use of its link: nothing would give it back. The previous release
-- inserts sessions through the same trigger.
create or replace function count_link_use() returns trigger language plpgsql as $$
begin
  update payment_links set uses = uses + 1, uses_unpaid = uses_unpaid + (new.status in ('pending', 'processing'))::integer
  where slug = new.payment_link and new.status <> 'expired';
  return null;
end $$;
