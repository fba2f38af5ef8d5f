-- A line can also be the return of a payout, and is claimed for it here: so the keys of this table keep it from being offered as a transfer
-- as well, and from being two returns. Its id is that of the payout then, and its account the one that the payout was sent to. The previous
-- release takes such a row for the offer of a transfer with this id: it offers the line as nothing else.
alter table offers add column is_return boolean not null default false;
