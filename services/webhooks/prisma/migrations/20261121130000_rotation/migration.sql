-- The next signing secret, and when it takes over by itself: judged by this database's clock whenever a secret is read. One
-- table a migration, and nothing is read through: the previous release goes on beside it, and no lock is held for long.
alter table endpoints
  add column staged_secret text,
  add column activates_at timestamptz(3),
  -- A delivery that was acknowledged and is sent again is not `delivered` for a while: this remembers that one was.
  add column acknowledged_before boolean not null default false,
  add constraint endpoints_staged_check check ((staged_secret is null) = (activates_at is null)) not valid;
