-- What a bank takes back of a collection, of an allocation or of suspense; and what Settled then covers of Collected. The previous
-- release books none of these, and its self-audit does not know them.
alter table transactions drop constraint transactions_kind_check;
alter table transactions add constraint transactions_kind_check check (kind in (
  'collection', 'suspense', 'allocation', 'settlement',
  'reserve', 'payout', 'return', 'reversal', 'late_payout', 'late_reversal',
  'collection_reversal', 'allocation_reversal', 'suspense_reversal', 'cover'
)) not valid;
