create index concurrently attempts_with_a_response on attempts (started_at) where response is not null;
