-- The session id of NIP under which the bank paid a payout, by which its statement names it. The previous release neither reads nor
-- writes it: a payout that it ends has none, and is matched by the other evidence.
alter table transfers add column session_id text;
