-- How often a member is mailed that a statement is ready, and when next. Null for never, as for every member so far.
alter table members add column report_every text, add column report_due_at timestamptz(3);
alter table members add constraint members_report_check
  check (report_every in ('weekly', 'monthly') and report_due_at is not null or report_every is null and report_due_at is null) not valid;
