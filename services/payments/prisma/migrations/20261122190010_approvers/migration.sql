-- Since when the person who approved had had a role that may: null for what the previous release approved.
alter table transfers add column approver_since timestamptz(3);

-- A person does not approve what they ordered, nor what was ordered with a key that they made.
alter table transfers add constraint approved_by_another_person
  check (approval is distinct from 'approved'
    or (approval_by ->> 'user_id' = coalesce(ordered_by ->> 'user_id', ordered_by ->> 'made_by')) is not true) not valid;
-- A role that was just given approves no real money.
alter table transfers add constraint approved_by_no_newcomer
  check (approval is distinct from 'approved' or mode = 'test' or approver_since is null
    or approval_at - approver_since >= interval '24 hours') not valid;
