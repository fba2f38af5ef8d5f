-- What banks took back, by the id of the reversal, for the audit. Other transactions do not write it.
create index concurrently transactions_reversals_idx on transactions ((split_part(key, ':', 3)) collate "C", kind)
  where kind in ('collection_reversal', 'allocation_reversal', 'suspense_reversal');
