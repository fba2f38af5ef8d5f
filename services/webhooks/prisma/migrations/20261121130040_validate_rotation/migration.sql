-- Read through without keeping anybody from writing.
alter table endpoints validate constraint endpoints_staged_check;
alter table events validate constraint events_amount_kobo_check;
