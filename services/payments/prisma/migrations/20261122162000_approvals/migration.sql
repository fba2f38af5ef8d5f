-- A transfer above a merchant's threshold waits at `reserved` until a second person has approved it. Declined, or not approved
-- in time, it fails without having been sent.
alter table transfers
  add column approval text,
  add column approval_by jsonb,
  add column approval_at timestamptz(3);

alter table transfers add constraint transfers_approval_check
  check (approval in ('required', 'approved', 'declined', 'expired', 'lost')) not valid;

-- What waits for approval has not been sent; what was declined or expired never was.
alter table transfers add constraint approved_before_it_is_sent
  check (approval is distinct from 'required' or step in ('created', 'reserved')) not valid;
alter table transfers drop constraint transfers_check;
alter table transfers add constraint sent_after_it_is_reserved
  check ((step in ('created', 'refused', 'reserved') or coalesce(approval in ('declined', 'expired'), false)) = (sent_at is null)) not valid;
