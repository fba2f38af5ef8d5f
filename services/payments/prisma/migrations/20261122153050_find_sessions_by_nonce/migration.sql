-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently sessions_of_nonce_idx on sessions (client_nonce, merchant_id, mode) where client_nonce is not null;
