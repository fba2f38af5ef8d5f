alter table deliveries validate constraint deliveries_check;
