-- By which a movement counts on a day of the bank's statement, where it is not received_at: of payouts, and of what a bank took back. The
-- previous release writes none, and such a movement counts when it is recorded.
alter table transactions add column counted_at timestamptz(6);
