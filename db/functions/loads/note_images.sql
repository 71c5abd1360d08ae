-- Notes what a load's statement changed, in its transaction, so that the load can be taken back. Only a load sets `app.load`. Without
-- nested loops, because a plan that was made for one row is kept for thousands.
create or replace function note_images() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  step text := current_setting('app.load');
begin
  if tg_op = 'INSERT' then
    insert into load_images (contractor_id, step, table_name, record_id, after)
      select n.contractor_id, step, tg_table_name, n.id, image_hash(tg_table_name, to_jsonb(n)) from new_rows n;
  elsif tg_op = 'UPDATE' then
    insert into load_images (contractor_id, step, table_name, record_id, before, after)
      select x.contractor_id, step, tg_table_name, x.id, x.before, image_hash(tg_table_name, x.after)
      from (select n.contractor_id, n.id, to_jsonb(o) as before, to_jsonb(n) as after from new_rows n join old_rows o on o.id = n.id) x
      where x.before - derived_columns(tg_table_name) <> x.after - derived_columns(tg_table_name);
  else
    insert into load_images (contractor_id, step, table_name, record_id, before)
      select o.contractor_id, step, tg_table_name, o.id, to_jsonb(o) from old_rows o;
  end if;
  return null;
end $$;
