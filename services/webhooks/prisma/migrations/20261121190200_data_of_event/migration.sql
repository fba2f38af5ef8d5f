-- What an event says, for the self-audit to compare; null for a body that is no JSON any more, which differs from everything.
create function data_of_event(body bytea) returns jsonb language plpgsql immutable parallel safe as $$
begin
  return convert_from(body, 'UTF8')::jsonb -> 'data';
exception when others then
  return null;
end $$;
