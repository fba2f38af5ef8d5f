-- Within how many days the partner pays out what it has received for us. What is not on the account's statements by then is missing at the bank. The
-- previous release takes one day for every account.
alter table bank_accounts add column settles_within integer not null default 1 check (settles_within between 1 and 14);
