-- Of an endpoint paused after a restore: the last change of its URL or secret that may be lost. Read only while it is paused.
alter table holds add column lost_change_at timestamptz(3);
