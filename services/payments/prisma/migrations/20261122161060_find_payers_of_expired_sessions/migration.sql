create index concurrently sessions_expired_with_a_payer on sessions (watch_until) where status = 'expired' and payer_email is not null;
