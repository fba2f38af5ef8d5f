-- Whose part it is: what one person has waiting is limited.
alter table file_parts add column put_by text not null default '';
