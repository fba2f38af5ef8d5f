alter table inbox_items validate constraint inbox_items_kind_check;
