-- Who attached a collection. Null where the previous release did, and after a restore: the merchant's event does not say it.
alter table collections add column attached_by jsonb;

grant update (attached_by) on collections to collect_payments;
