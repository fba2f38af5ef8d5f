-- After a restore the numbers of deliveries go on from what others were told.
grant select, update on sequence deliveries_number_seq to collect_webhooks;
