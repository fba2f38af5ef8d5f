-- Empty but for merchants that owed: an insert of any other kind pays for one comparison. A statement at an instant finds those whose
-- two entries lie on either side of it.
create index concurrently transactions_covers on transactions (merchant_id, mode) where kind = 'cover';
