-- Alone, because it must be built outside a transaction. For the worker that mails what is due.
create index concurrently if not exists members_report_due_at_idx on members (report_due_at);
