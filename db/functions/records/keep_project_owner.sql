-- A home-owner is a customer while a project is theirs; what each resource has of a project follows it to its new owner. By the project alone:
-- its foreign key has an index in each of these tables. `execute` plans for the tables as they are now.
create or replace function keep_project_owner() returns trigger language plpgsql
set enable_seqscan = off as $$
declare
  listed regclass;
begin
  if tg_op <> 'DELETE' then
    update users set owns_project = true where id = new.customer_id and not owns_project;
  end if;
  if tg_op = 'UPDATE' then
    for listed in select t.tgrelid from pg_trigger t where t.tgname = 'feed_created' and 2 = (select count(*) from pg_attribute a
        where a.attrelid = t.tgrelid and a.attname in ('customer_id', 'project_id') and not a.attisdropped) order by 1
    loop
      execute format('update %s set customer_id = $1 where project_id = $2', listed) using new.customer_id, new.id;
    end loop;
  end if;
  if tg_op <> 'INSERT' then
    update users set owns_project = false
      where id = old.customer_id and not exists (select 1 from projects where customer_id = old.customer_id);
  end if;
  return null;
end $$;
