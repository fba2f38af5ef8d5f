-- A caller who knew a public key and an order found the session of another caller by it: now only its nonce does. Alone in its
-- migration, so that nothing waits.
drop index concurrently sessions_public_call_key;
