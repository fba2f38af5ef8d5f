-- Files of transfers that wait for an approval are a kind of the Inbox. The previous release knows none, and leaves their rows alone.
alter table inbox_items drop constraint inbox_items_kind_check;
alter table inbox_items add constraint inbox_items_kind_check
  check (kind in ('unmatched', 'underpaid', 'overpaid', 'failed', 'reversed', 'approval', 'file', 'webhook', 'verification')) not valid;
alter table inbox_items drop constraint ends_by_itself;
alter table inbox_items add constraint ends_by_itself
  check (done_at is null or kind not in ('approval', 'file', 'webhook', 'verification')) not valid;
