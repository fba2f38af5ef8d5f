-- Whether the member is mailed when the webhook fails, and when it works again. There is no such choice for the other mails:
-- they are about money, keys and accounts.
alter table members add column webhook_mails boolean not null default true;
