-- A page of a link that is sent twice opens one session. Alone in its migration, so that it can be made while the table is
-- written to; nobody opens sessions through links before the release that comes with it.
create unique index concurrently sessions_link_key_key on sessions (link_key, payment_link) where link_key is not null;
