-- As of sessions. Alone in its migration, so that it can be made while the table is written to.
create index concurrently transfers_by_metadata on transfers using gin (metadata_terms(merchant_id, mode, metadata))
  with (gin_pending_list_limit = 256) where metadata <> '{}';
