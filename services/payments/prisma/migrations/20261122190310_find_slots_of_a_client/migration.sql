-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_of_client_idx on sessions (client, merchant_id, mode, amount) where client is not null and slot_held;
