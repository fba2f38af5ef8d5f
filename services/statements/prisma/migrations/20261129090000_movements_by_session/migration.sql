-- A line is not offered if its session was notified. It is created beside the running release.
create index concurrently movements_account_session_id_idx on movements (account, session_id) where session_id is not null;
