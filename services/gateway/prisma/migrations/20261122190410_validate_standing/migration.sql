-- Apart from the change that needs the table to itself: this one only reads it.
alter table merchants validate constraint suspended_with_a_reason;
