-- Who was verified on the command line before counts as approved, in lists too. Apart from the tables, so that no lock on
-- merchants is held meanwhile; whoever has begun since keeps what was filled in, and counts as approved all the same.
insert into merchant_verifications (merchant_id, state, state_since, decided_at)
select id, 'approved', verified_at, verified_at from merchants where verified_at is not null
on conflict do nothing;
