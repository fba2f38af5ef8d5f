-- Transfers of earlier releases, so that a ledger that was restored to before this one is told of them, too.
update transfers set touched_at = coalesce(reversed_at, completed_at, sent_at, created_at) where touched_at is null;
