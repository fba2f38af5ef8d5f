-- By how the merchant's reference begins. Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_by_merchant_reference on sessions (merchant_id, mode, merchant_reference collate "C")
  where merchant_reference is not null;
