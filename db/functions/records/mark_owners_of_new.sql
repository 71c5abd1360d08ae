-- Owners of new projects become customers, by one statement for all of them. Triggers of one event run by name: `add_owners` before
-- `feed_created`, so that a customer is in the feed before their project. A
-- statement that sets `app.stamped` has marked them itself.
create or replace function mark_owners_of_new() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  owners text[] := array(select u.id from users u
    where u.id = any(array(select n.customer_id from new_rows n)) and not u.owns_project order by u.id for no key update);
begin
  if cardinality(owners) > 0 then
    update users set owns_project = true where id = any(owners) and not owns_project;
  end if;
  return null;
end $$;
