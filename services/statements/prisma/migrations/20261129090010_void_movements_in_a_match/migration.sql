-- A payout that failed although the bank took the money: few, and looked for each time that a day is shown.
create index concurrently movements_void_in_a_match on movements (match_id) where is_void and match_id is not null;
