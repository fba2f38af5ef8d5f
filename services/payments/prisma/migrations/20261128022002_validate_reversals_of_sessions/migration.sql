alter table sessions validate constraint sessions_reversed_a_part;
