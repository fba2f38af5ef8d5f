alter table api_calls
  validate constraint bounded_content_of_calls,
  validate constraint live_calls_without_content,
  validate constraint bodies_with_their_type;
