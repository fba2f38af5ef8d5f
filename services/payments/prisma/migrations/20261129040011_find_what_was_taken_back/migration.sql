-- Collections of which a bank took something back, for the Inbox. Other collections do not write it.
create index concurrently collections_taken_back_idx on collections (merchant_id, mode, paid_at desc, intake_id desc)
  where amount_reversed > 0;
