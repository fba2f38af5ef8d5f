-- What people search by, besides what the columns say. A name from its n-th word on, in lower case after Unicode, whatever the
-- server's locale; empty where it has fewer words.
create function words_from(name text, word integer) returns text language plpgsql immutable strict parallel safe as $$ begin
  return ltrim(lower(array_to_string((string_to_array(name, ' '))[word:], ' ') collate "pg_c_utf8"));
end $$;

-- The values of metadata, each with its merchant and mode, so that one index finds them for one merchant. Long ones by how they
-- begin, which is as much as a search takes. The cost is what the planner needs to know: call it for what an index found.
create function metadata_terms(merchant_id text, mode text, metadata jsonb) returns text[] language plpgsql immutable strict parallel safe
cost 1000 as $$ begin
  return array(select merchant_id || ' ' || mode || ' ' || left(lower(value collate "pg_c_utf8"), 100) from jsonb_each_text(metadata));
end $$;
