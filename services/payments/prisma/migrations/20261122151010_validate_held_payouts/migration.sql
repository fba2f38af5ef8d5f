alter table transfers validate constraint held_before_it_is_sent;
