-- A test event is about no money. What is there fits the check that this one takes the place of; it is validated on its own.
alter table events
  drop constraint events_amount_kobo_check,
  add constraint events_amount_kobo_check check (amount_kobo > 0 or (kind = 'webhook.test' and amount_kobo = 0)) not valid;
