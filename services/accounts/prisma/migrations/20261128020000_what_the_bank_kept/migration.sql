-- What the bank kept of a transfer before it reached our account, and what the bank called it. A row of the previous release
-- has neither: its bank kept nothing.
alter table inbound_transfers
  add column bank_fee bigint not null default 0,
  add column bank_vat bigint not null default 0,
  add column session_id text,
  add column settlement_id text;
alter table inbound_transfers add constraint inbound_transfers_bank_kept_a_part
  check (bank_fee >= 0 and bank_vat >= 0 and bank_fee + bank_vat <= amount) not valid;

create trigger inbound_transfers_net before update on inbound_transfers for each row
  when ((old.bank_fee, old.bank_vat, old.session_id, old.settlement_id)
    is distinct from (new.bank_fee, new.bank_vat, new.session_id, new.settlement_id))
  execute function keep_what_the_bank_said();
