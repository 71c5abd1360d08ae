-- A chunk is never changed, only replaced: that is all the index must follow.
create or replace function refuse_chunk_change() returns trigger language plpgsql as $$
begin
  raise exception 'a chunk is replaced, never changed';
end $$;
