-- The team is not notified of the payees there were before. A later payout to one of them may have been noted in the meantime.
insert into payees as p (merchant_id, bank_code, account_number, reference, ordered_at, announcement, announced_at, acknowledged_at)
select distinct on (merchant_id, bank_code, account_number) merchant_id, bank_code, account_number, reference, created_at, reference, created_at, clock_timestamp()
from transfers where mode = 'live' and step not in ('created', 'refused')
order by merchant_id, bank_code, account_number, created_at, reference
on conflict (merchant_id, bank_code, account_number) do update set reference = excluded.reference, ordered_at = excluded.ordered_at,
  announcement = excluded.announcement, announced_at = excluded.announced_at, acknowledged_at = excluded.acknowledged_at
  where p.reference <> excluded.reference and p.announcement is null;
