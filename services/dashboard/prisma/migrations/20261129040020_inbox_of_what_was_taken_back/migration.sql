-- Collections that banks took back are listed, too. Every kind of the former list is one of this.
alter table inbox_items drop constraint inbox_items_kind_check;
alter table inbox_items add constraint inbox_items_kind_check
  check (kind in ('unmatched', 'underpaid', 'overpaid', 'paid_twice', 'taken_back', 'failed', 'reversed', 'approval', 'file', 'webhook', 'verification')) not valid;
