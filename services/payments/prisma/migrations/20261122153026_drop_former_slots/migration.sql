-- sessions_held_slot_key guarantees the same. Alone in its migration, so that nothing waits.
drop index concurrently sessions_slot_key;
