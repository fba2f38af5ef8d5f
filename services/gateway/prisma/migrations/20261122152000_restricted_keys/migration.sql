-- Every call reads this table, and none waits longer for its lock than changing the catalog takes: what is there is checked in
-- the next migration.
alter table api_keys
  add column name text,
  add column scopes text[],
  add column addresses text[],
  add column made_by jsonb,
  drop constraint api_keys_kind_check,
  add constraint api_keys_kind_check check (kind in ('secret', 'public', 'restricted')) not valid,
  add constraint only_restricted_keys_have_scopes check (
    (kind = 'restricted') = (name is not null) and (kind = 'restricted') = (coalesce(cardinality(scopes), 0) > 0)
    and (kind = 'restricted' or coalesce(cardinality(addresses), 0) = 0)
  ) not valid,
  add constraint known_scopes check (
    scopes <@ array['accounts', 'payments', 'collections', 'events', 'transfers:read', 'transfers:write', 'balance']
  ) not valid,
  add constraint made_by_an_actor check (jsonb_typeof(made_by) = 'object') not valid;
