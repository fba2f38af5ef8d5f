-- The same as sessions_slot_key, but younger than sessions_of_slot_idx: while the table is empty, plans cost both the same and
-- take the younger one, and only this one reads nothing but held slots. Alone in its migration, so that it can be made while the
-- table is written to.
create unique index concurrently sessions_held_slot_key on sessions (account_number, mode, amount) where slot_held;
