alter table transfers validate constraint approved_by_another_person;
alter table transfers validate constraint approved_by_no_newcomer;
