-- sessions_of_slot_idx finds the same sessions, for the previous release too. Alone in its migration, so that nothing waits.
drop index concurrently sessions_account_number_mode_amount_created_at_idx;
