-- What an operator found out from the bank's staff about a payout that its API never answered: who ended it, how and why.
-- Null for all others. It ends a transfer, so there is none without a verdict.
alter table transfers add column resolution jsonb;
alter table transfers add constraint transfers_resolution check (resolution is null or verdict is not null) not valid;
