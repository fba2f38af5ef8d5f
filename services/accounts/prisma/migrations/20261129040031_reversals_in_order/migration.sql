-- In this order every service lists them.
create index concurrently inbound_reversals_in_order on inbound_reversals (reversal_id collate "C");
