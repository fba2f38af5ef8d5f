-- What was done with webhook endpoints, by time: webhooks asks for it after a restore of its database.
create index concurrently webhook_acts on audit_entries (at, chain, seq) where action like 'webhook.%' and about is null;
