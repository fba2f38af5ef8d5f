-- What a call made, and why it was refused. What was sent is kept of calls with a test key only.
alter table api_calls
  add column made text,
  add column problem text,
  add column query text,
  add column body_type text,
  add column body text,
  add constraint bounded_content_of_calls check (
    length(made) <= 100 and length(problem) <= 2000 and length(query) <= 2000 and length(body_type) <= 60 and length(body) <= 2000
  ) not valid,
  add constraint live_calls_without_content check (mode = 'test' or (query is null and body is null)) not valid,
  add constraint bodies_with_their_type check (body is null or body_type is not null) not valid;
