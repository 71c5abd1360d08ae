-- A hash of what files and people fill of a record, by which a later change is noticed.
create or replace function image_hash(of_table text, record jsonb) returns bigint language sql immutable parallel safe as $$
  select hashtextextended((record - derived_columns(of_table))::text, 0)
$$;
