create index concurrently transfers_awaiting_approval_idx on transfers (merchant_id, mode, created_at desc, reference desc)
  where approval = 'required';
