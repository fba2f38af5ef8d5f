-- An order to an account whose holder the merchant does not know spends one of its name enquiries, and withholds the name when
-- none is left for orders. The previous release withholds nothing and recognizes no account.
alter table transfers add column name_withheld boolean not null default false;
-- A keyed digest of merchant, mode and account.
alter table account_enquiries add column account_key text;
