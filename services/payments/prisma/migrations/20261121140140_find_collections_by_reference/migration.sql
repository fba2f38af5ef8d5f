-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently collections_merchant_reference_idx on collections (merchant_reference, merchant_id, mode, paid_at desc, intake_id desc)
  where merchant_reference is not null;
