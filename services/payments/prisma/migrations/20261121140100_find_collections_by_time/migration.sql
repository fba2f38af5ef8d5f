-- How people find collections, payers, sessions and transfers: each index alone in its migration, so that it is made while
-- the table is written to. The previous release reads and writes as before; what it alone reads by goes last.

-- By the bank's time. What a day came to is summed from this index alone.
create index concurrently collections_shown_idx on collections (merchant_id, mode, paid_at desc, intake_id desc) include (amount, fee)
  where paid_at is not null;
