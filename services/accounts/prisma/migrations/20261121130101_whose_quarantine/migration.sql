-- Those that came before. Apart from the new column, so that nobody waits for its lock meanwhile; and the newest only, of
-- which a merchant is shown 100 at most: what is older is with the operator, if it waits at all.
update quarantined_transfers q
  set merchant_id = coalesce(
    (select merchant_id from customer_accounts a where a.mode = q.mode and a.account_number = q.account_number),
    (select merchant_id from collection_accounts own where own.mode = q.mode and own.account_number = q.account_number))
from (select ctid as place from quarantined_transfers order by received_at desc limit 10000) newest
where q.ctid = newest.place;
