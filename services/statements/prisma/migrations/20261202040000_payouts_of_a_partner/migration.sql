-- The partner whose payouts leave from the account. Those of a partner that no account is named for leave from the one that pays out, as all
-- did, and as the previous release goes on to say.
alter table bank_accounts add column payouts_of text;
