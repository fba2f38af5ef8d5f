-- Who took a statement again that had been withdrawn, from a file that has others which stayed, and when. Without it: who imported the file. The
-- previous release takes no such statement.
alter table statements add column taken_by text, add column taken_at timestamptz(3);
