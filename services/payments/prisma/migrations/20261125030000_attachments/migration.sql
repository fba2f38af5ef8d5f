-- What a person attaches unmatched money to. From then on the columns of the match are the session's or the customer's; before, all
-- of them were null, which is what the first event says and what the other services know.
alter table collections add column attached_at timestamptz(3), add column attachment_due timestamptz(3);
alter table collections
  add constraint attached_to_something
    check (attached_at is null or payment_reference is not null or customer_reference is not null) not valid,
  add constraint only_attachments_are_announced check (attachment_due is null or attached_at is not null) not valid;

-- Whose money it is changes once at most, and never what was matched on arrival.
create function refuse_another_match() returns trigger language plpgsql as $$
begin
  raise exception 'collection % is matched or attached already', old.intake_id using errcode = 'check_violation';
end $$;
create trigger collections_are_attached_once before update of payment_reference, merchant_reference, customer_reference, attached_at on collections
  for each row when (
    (old.payment_reference is not null or old.customer_reference is not null or old.attached_at is not null or new.attached_at is null)
    and (old.payment_reference, old.merchant_reference, old.customer_reference, old.attached_at)
      is distinct from (new.payment_reference, new.merchant_reference, new.customer_reference, new.attached_at))
  execute function refuse_another_match();

grant update (payment_reference, merchant_reference, customer_reference, attached_at, attachment_due) on collections to collect_payments;
