-- When a reversal was quarantined because its transfer had not been reported for too long. It still waits for it.
alter table inbound_reversals add column missed_at timestamptz(3);

-- A bank may name only the transfer that it takes back. The account is then that of the transfer, once that is known.
drop trigger inbound_reversals_facts on inbound_reversals;
create trigger inbound_reversals_facts before update on inbound_reversals for each row
  when ((old.reversal_id, old.bank, old.mode, old.bank_transfer_id, old.credit_id, old.amount, old.bank_fee, old.bank_vat, old.reversed_at, old.received_at)
    is distinct from (new.reversal_id, new.bank, new.mode, new.bank_transfer_id, new.credit_id, new.amount, new.bank_fee, new.bank_vat, new.reversed_at, new.received_at)
    or (old.account_number <> '' and old.account_number is distinct from new.account_number)
    or (old.reversed_before is not null and old.reversed_before is distinct from new.reversed_before)
    or (old.merchant_id is not null and old.merchant_id is distinct from new.merchant_id))
  execute function keep_what_the_bank_said();
alter table inbound_reversals add constraint inbound_reversals_account_known check (admitted_at is null or account_number <> '') not valid;
