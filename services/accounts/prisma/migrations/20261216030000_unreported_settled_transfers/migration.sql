-- What a settlement says of a transfer, so that the partner can be asked for one that it never reported: by its id, which is kept as the intake
-- keeps it. `ask_at` is null once it is known what became of it, and for what was reported before its settlement. The previous release writes
-- none of these: what it keeps is asked for by nobody.
alter table settled_transfers
  add column bank_transfer_id text,
  add column amount bigint,
  add column reservation text,
  add column asks integer not null default 0,
  add column ask_at timestamptz(3),
  add constraint settled_transfers_asked_by_id check (ask_at is null or bank_transfer_id is not null) not valid;
-- What was said of a settlement stays.
grant update (asks, ask_at) on settled_transfers to collect_accounts;
