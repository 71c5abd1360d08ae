-- The second fence: inside it a statement sees and writes rows of one contractor only, also when it forgot to ask for them.
-- The owner of the tables, which is who signs in, stands outside; `enter_fence` goes in until the transaction ends.

-- Puts a table behind the fence: a column of it names the contractor. The `|| ''` makes the policy a filter and never a way to look rows up:
-- without statistics a planner would take an index that leads with the contractor, and read all that is his.
create function fence_table(fenced regclass, owner_column name default 'contractor_id') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', fenced);
  execute format($policy$create policy one_contractor on %s
    using ((%2$I || '') = current_setting('app.contractor_id', true))$policy$, fenced, owner_column);
end $$;--> statement-breakpoint

select fence_table(c.oid) from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attname = 'contractor_id' and not a.attisdropped;--> statement-breakpoint
select fence_table('contractors', 'id');--> statement-breakpoint
-- Triggers queue what they saw changed.
select fence_table('search_queue', 'owner');--> statement-breakpoint

-- What the role inside the fence lacks in this database: a right on a table behind it.
create function unfenced_tables() returns setof regclass language sql stable as $$
  select c.oid::regclass from pg_policy p join pg_class c on c.oid = p.polrelid
  where p.polname = 'one_contractor' and c.relnamespace = current_schema()::regnamespace
    and not has_table_privilege('plumbline_tenant', c.oid, 'delete')
$$;--> statement-breakpoint

-- Whether `role` may be taken on: what the catalogue says of it differs between versions, so it is tried.
create function may_take_on_tenant() returns boolean language plpgsql as $$
declare
  before text := current_setting('role');
begin
  perform set_config('role', 'plumbline_tenant', true);
  perform set_config('role', before, true);
  return true;
exception when insufficient_privilege or invalid_parameter_value or undefined_object then
  return false;
end $$;--> statement-breakpoint

-- Makes the role, takes a right to it, and gives it the tables behind the fence, as far as any of that is missing: run at every start, so
-- that a table added later is reached. Null when the fence stands, else what is in the way. Roles belong to the whole cluster, where
-- another database may be doing the same at this moment.
create function raise_fence() returns text language plpgsql as $$
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
end $$;--> statement-breakpoint

-- Goes behind the fence until the transaction ends; where it could not be raised, the statements' own conditions are all there is.
create function enter_fence(for_contractor text) returns void language plpgsql as $$
begin
  perform set_config('app.contractor_id', for_contractor, true);
  if to_regrole('plumbline_tenant') is null then return; end if;
  if not has_table_privilege('plumbline_tenant', 'people', 'select') then return; end if;
  begin
    perform set_config('role', 'plumbline_tenant', true);
  exception when insufficient_privilege or invalid_parameter_value then null;
  end;
end $$;--> statement-breakpoint

-- `receive_leads` behind the fence, in the same one statement.
create function receive_fenced_leads(for_contractor text, batch jsonb)
returns table (project_id text, job_number int, created boolean)
language plpgsql as $$
declare
  before text := current_setting('role');
begin
  perform enter_fence(for_contractor);
  return query select * from receive_leads(for_contractor, batch);
  perform set_config('role', before, true);
end $$;
