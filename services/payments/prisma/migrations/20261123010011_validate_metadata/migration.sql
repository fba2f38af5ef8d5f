alter table sessions validate constraint sessions_metadata_check;
alter table collections validate constraint collections_metadata_check;
alter table transfers validate constraint transfers_metadata_check;
