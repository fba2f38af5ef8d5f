alter table inbox_items validate constraint inbox_items_kind_check;
alter table inbox_items validate constraint ends_by_itself;
