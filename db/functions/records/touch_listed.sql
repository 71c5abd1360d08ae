-- `touch` for the lists that are read by `updatedAfter`.
create or replace function touch_listed() returns trigger language plpgsql as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new is distinct from old then
    new.updated_at := greatest(next_moment(tg_table_name, new.contractor_id), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end $$;
