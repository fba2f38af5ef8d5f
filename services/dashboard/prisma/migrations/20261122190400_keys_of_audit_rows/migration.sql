-- Older rows, a thousand at a time: no act waits long to write its outcome into one of them. Nothing else may be in this
-- migration, since only a statement alone can commit. It can be run again.
do $$
declare
  done bigint := 0;
  upto bigint;
begin
  loop
    select max(id) into upto from (select id from audit_log where id > done order by id limit 1000) as batch;
    exit when upto is null;
    update audit_log set key = gen_random_uuid() where id > done and id <= upto and key is null;
    commit;
    done := upto;
  end loop;
end $$;
