alter table api_keys
  validate constraint api_keys_kind_check,
  validate constraint only_restricted_keys_have_scopes,
  validate constraint known_scopes,
  validate constraint made_by_an_actor;
