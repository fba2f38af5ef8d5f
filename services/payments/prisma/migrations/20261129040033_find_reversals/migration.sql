-- The order in which the audit lists them.
create index concurrently reversals_in_order on reversals (reversal_id collate "C");
