-- Makes the role, takes a right to it, and gives it the tables behind the fence, as far as any of that is missing: run at every start, so
-- that a table added later is reached. Null when the fence stands, else what is in the way. Roles belong to the whole cluster, where
-- another database may be doing the same at this moment.
create or replace function raise_fence() returns text language plpgsql as $$
declare
  fenced regclass;
begin
  perform pg_advisory_xact_lock(hashtextextended('raise_fence', 0));
  begin
    if to_regrole('plumbline_tenant') is null then create role plumbline_tenant nologin; end if;
  exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then return 'this database user may not create the role plumbline_tenant';
  end;
  for attempt in 1..5 loop
    exit when may_take_on_tenant();
    begin
      execute format('grant plumbline_tenant to %I', current_user);
    exception
      when insufficient_privilege then return 'this database user may not take on the role plumbline_tenant';
      when internal_error then perform pg_sleep(0.05);
    end;
  end loop;
  if not may_take_on_tenant() then return 'this database user could not take on the role plumbline_tenant'; end if;
  if has_schema_privilege('plumbline_tenant', current_schema(), 'usage') is not true then
    execute format('grant usage on schema %I to plumbline_tenant', current_schema());
  end if;
  for fenced in select * from unfenced_tables() loop
    execute format('grant select, insert, update, delete on %s to plumbline_tenant', fenced);
  end loop;
  -- A team's names and addresses, and when each was last there.
  if not has_table_privilege('plumbline_tenant', 'people', 'select') then
    grant select (person_id, created_at) on person_sessions to plumbline_tenant;
    grant select on people to plumbline_tenant;
  end if;
  return null;
end $$;
