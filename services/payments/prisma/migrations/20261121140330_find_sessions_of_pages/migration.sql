-- A reference of the merchant's server is one session, which sessions_merchant_reference_key finds. Alone in its migration, so
-- that it can be made while the table is written to.
create index concurrently sessions_public_reference_idx on sessions (merchant_reference, merchant_id, mode, created_at desc, reference desc)
  where opened_by = 'public_key' and merchant_reference is not null;
