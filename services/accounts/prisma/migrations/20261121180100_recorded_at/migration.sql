-- When webhooks recorded the event whose numbers stand beside it: an event that webhooks lost to a restore is made again with
-- the same bytes. Null where the previous release completed the transfer.
alter table inbound_transfers add column recorded_at timestamptz(3);
