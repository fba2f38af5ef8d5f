-- The key, the member or the operator who ordered it, as the service that authenticated them says: null for older transfers, and for
-- those of the previous release, which says nothing.
alter table transfers
  add column ordered_by jsonb,
  add constraint ordered_by_an_actor check (jsonb_typeof(ordered_by) = 'object') not valid;
