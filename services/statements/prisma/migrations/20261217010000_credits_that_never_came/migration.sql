-- A credit that never came and the reversal that takes it back are a match without a line. It has a number below zero, since the others have that of a
-- line. While accounts decides, the credit alone is in one by the amount, which gives way.
create sequence matches_without_lines as bigint increment by -1 minvalue -9223372036854775807 maxvalue -1;
grant usage on sequence matches_without_lines to collect_statements;

-- Two operators have said that it never came, and the merchant has paid it back: a line that comes later is another credit. The previous release
-- would undo it for a match by hand.
create function refuse_undoing() returns trigger language plpgsql as $$
begin
  raise exception 'a credit that never came, and was taken back, is matched with nothing else' using errcode = 'restrict_violation';
end $$;
create trigger matches_without_lines_stay before delete on matches for each row
  when (old.id < 0 and old.evidence <> 'amount') execute function refuse_undoing();
