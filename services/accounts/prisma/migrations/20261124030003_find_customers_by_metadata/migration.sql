-- Accounts without metadata are not in it. What was written since the last vacuum waits in a list that every search reads, so it is
-- short. Alone in its migration, so that it can be made while the table is written to.
create index concurrently customer_accounts_by_metadata on customer_accounts using gin (metadata_terms(merchant_id, mode, metadata))
  with (gin_pending_list_limit = 256) where metadata <> '{}';
