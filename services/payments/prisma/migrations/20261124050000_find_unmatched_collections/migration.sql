-- Money that matches neither a session nor a customer, for the Inbox. Other collections do not write it.
create index concurrently collections_unmatched_idx on collections (merchant_id, mode, paid_at desc, intake_id desc)
  where payment_reference is null and customer_reference is null;
