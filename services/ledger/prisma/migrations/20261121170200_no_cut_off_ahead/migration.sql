-- A settlement covers what was collected before a moment that has come. Not validated: a release whose clock was ahead may
-- have written others, which stay as they are.
alter table settlements add constraint settlements_cut_off_has_come check (cut_off <= created_at) not valid;
