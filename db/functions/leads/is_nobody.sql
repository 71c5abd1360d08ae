-- Reports whether a lead's name only says that its sender knew none.
create or replace function is_nobody(name text) returns boolean language sql immutable parallel safe as $$
  select name = 'Unknown caller'
$$;
