-- updated_at moves forward on every real change and only then; ids and creation moments never change.
-- "+ 1 ms" keeps it moving forward when the machine's clock is set back.
create or replace function touch() returns trigger language plpgsql as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new is distinct from old then
    new.updated_at := greatest(date_trunc('milliseconds', clock_timestamp()), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end $$;
