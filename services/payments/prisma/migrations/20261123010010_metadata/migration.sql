-- The merchant's own values: the limits of the merchant API, whoever writes the row.
create function is_metadata(metadata jsonb) returns boolean language plpgsql immutable strict as $$ begin
  return metadata = '{}' or jsonb_typeof(metadata) = 'object' and (
    select count(*) <= 20 and bool_and(length(key) between 1 and 40 and jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 500)
    from jsonb_each(metadata));
end $$;

alter table sessions add column metadata jsonb not null default '{}';
alter table sessions add constraint sessions_metadata_check check (is_metadata(metadata)) not valid;

-- What the merchant's event about it says. Null where the previous release decided: that event has no metadata and no payer.
alter table collections add column metadata jsonb;
alter table collections add constraint collections_metadata_check check (is_metadata(metadata)) not valid;

-- The same: null in a transfer that the previous release took.
alter table transfers add column metadata jsonb;
alter table transfers add constraint transfers_metadata_check check (is_metadata(metadata)) not valid;

-- What an erasure empties.
grant update (metadata) on sessions, collections to collect_payments;
