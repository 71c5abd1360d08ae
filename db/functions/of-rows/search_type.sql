-- The type of a project's document.
create or replace function search_type(p projects) returns text language sql immutable as $$
  select case when p.job_number is null then 'project' else 'lead' end
$$;
