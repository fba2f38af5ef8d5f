-- Since when the bank has said without a break that it does not have a transfer that was sent: only after long enough has it failed. Older than
-- sent_at it is of a former order, and counts for nothing. The previous release neither reads nor writes it.
alter table transfers add column unknown_since timestamptz(3);
