-- Reversals of credits that never came, which are few: each finds its credit.
create index concurrently movements_of_missing_credits on movements (account) where amount < 0 and refs[1] like 'missing:%';
