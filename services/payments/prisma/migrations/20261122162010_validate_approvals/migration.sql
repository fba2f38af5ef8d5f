alter table transfers validate constraint transfers_approval_check;
alter table transfers validate constraint approved_before_it_is_sent;
alter table transfers validate constraint sent_after_it_is_reserved;
