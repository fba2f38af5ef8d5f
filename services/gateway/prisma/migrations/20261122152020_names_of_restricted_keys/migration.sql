-- Of two concurrent requests for one name, one is refused: a repeat cannot leave a second key that nobody has seen.
create unique index concurrently api_keys_active_name_key on api_keys (merchant_id, mode, name)
  where kind = 'restricted' and expires_at is null;
