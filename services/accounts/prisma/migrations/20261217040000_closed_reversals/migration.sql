-- A reversal that the ledger refuses, and that a person has settled otherwise: it is driven no more.
alter table inbound_reversals add column closed_at timestamptz(3), add column closed_reason text;
alter table inbound_reversals add constraint inbound_reversals_closed
  check ((closed_at is null) = (closed_reason is null) and (closed_at is null or (admitted_at is not null and completed_at is not null))) not valid;
