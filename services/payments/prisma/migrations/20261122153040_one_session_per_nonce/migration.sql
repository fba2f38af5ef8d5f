-- The same call with the same nonce is one session while it is unpaid. A late payment of one that expired never conflicts. Alone
-- in its migration, so that it can be made while the table is written to.
create unique index concurrently sessions_client_nonce_key on sessions (client_nonce, merchant_id, mode, amount_requested,
  md5(coalesce(merchant_reference, '') || chr(10) || coalesce(description, '') || chr(10) || coalesce(redirect_url, '')))
  where client_nonce is not null and status in ('pending', 'processing');
