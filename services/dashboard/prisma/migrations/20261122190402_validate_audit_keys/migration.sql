alter table audit_log validate constraint every_row_has_a_key;
