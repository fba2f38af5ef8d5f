-- With which line of a statement the bank returned a payout after its success, who said so and why. Null for all others: the bank reported
-- their reversal. The previous release neither reads nor writes it.
alter table transfers add column returned jsonb;
alter table transfers add constraint transfers_returned check (returned is null or verdict = 'reversed') not valid;
