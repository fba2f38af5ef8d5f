-- Where a day has more lines of the difference than its sheet has room for, the sheet has groups of them: these are their lines, as the day was
-- closed with them. The previous release closes no such day, and does not read this.
create table grouped_items (
  closing bigint not null references closings (id),
  in_group text not null,
  item text collate "C" not null,
  amount bigint not null,
  charge bigint,
  what text not null,
  primary key (closing, in_group, item)
);

-- They come with their closing, and stay as it does.
create function refuse_later_items() returns trigger language plpgsql as $$
begin
  if exists (select from added join closings on closings.id = closing where closings.xmin <> pg_current_xact_id()::xid) then
    raise exception 'the items of a closing come with it' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger grouped_items_of_their_closing after insert on grouped_items referencing new table as added
  for each statement execute function refuse_later_items();
create trigger grouped_items_stay before update or delete or truncate on grouped_items for each statement execute function refuse_change();

grant select, insert on grouped_items to collect_statements;
