-- The merchant's own values: the limits of the merchant API, whoever writes the row.
create function is_metadata(metadata jsonb) returns boolean language plpgsql immutable strict as $$ begin
  return metadata = '{}' or jsonb_typeof(metadata) = 'object' and (
    select count(*) <= 20 and bool_and(length(key) between 1 and 40 and jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 500)
    from jsonb_each(metadata));
end $$;

alter table customer_accounts add column metadata jsonb not null default '{}';
alter table customer_accounts add constraint customer_accounts_metadata_check check (is_metadata(metadata)) not valid;

-- The account's when the money was received; null without any, and in rows of the previous release.
alter table inbound_transfers add column metadata jsonb;
alter table inbound_transfers add constraint inbound_transfers_metadata_check check (is_metadata(metadata)) not valid;
