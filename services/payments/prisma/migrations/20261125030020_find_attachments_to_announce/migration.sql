-- Attached collections whose event webhooks has not recorded yet: a few at any time.
create index concurrently collections_attachment_due_idx on collections (mode, attachment_due) where attachment_due is not null;
