-- The references on the lines of the account are the bank's own: they agree with no id that is known here, so they say nothing about what a line is.
alter table bank_accounts add column own_references boolean not null default false;
