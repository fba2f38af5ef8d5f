alter table transfers validate constraint transfers_returned;
