-- Which partner a transfer was sent to: committed before the call, and asked ever after. Null before that, where the previous
-- release sent it (to the bank of our own protocol), and where it was lost and restored.
alter table transfers add column partner text;
