-- A lead's message, and a note where its sender's id came before with another person.
create or replace function lead_notes(message text, external_id text, other_name text) returns text language sql immutable parallel safe as $$
  select case when other_name is null then message
    else concat_ws(e'\n', message, format('The sender''s id %s came before with another person, %s.', external_id, other_name)) end
$$;
