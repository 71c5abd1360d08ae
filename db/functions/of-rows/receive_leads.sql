-- Stores a group of a contractor's leads. Where nothing in it is known, which is nearly always so, one statement does. What looks for the known
-- would be planned for each group, as the planner takes a list of ten to be cheaper than one of fifteen; the plan is the same.
create or replace function receive_leads(for_contractor text, batch lead_row[])
returns table (project_id text, job_number int, created boolean)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  are_distinct boolean;
  keys text[];
  bodies text[];
  emails text[];
  phones text[];
  earlier int;
  customers_at timestamptz;
  projects_at timestamptz;
begin
  select count(distinct r.dedupe_key) = count(*) and count(distinct r.email) = count(r.email)
        and count(distinct r.phone) = count(r.phone) and count(distinct r.body_key) = count(r.body_key),
      array_agg(r.dedupe_key), array_agg(r.body_key) filter (where r.body_key is not null), array_agg(r.email) filter (where r.email is not null),
      array_agg(r.phone) filter (where r.phone is not null)
    into are_distinct, keys, bodies, emails, phones
    from unnest(batch) r;
  -- Known leads are answered without the lock. One or two new ones take less the other way.
  if are_distinct and cardinality(keys) > 2
    and not exists (select from leads where dedupe_key = any(keys) or body_key = any(bodies)) then
    -- Takes the lock, and the numbers.
    insert into job_counters as c (contractor_id, last) values (for_contractor, cardinality(keys))
      on conflict (contractor_id) do update set last = c.last + excluded.last returning c.last - cardinality(keys) into earlier;
    -- Looked at again under the lock. `|| ''` keeps the planner from an index that leads with the contractor.
    if not exists (select from leads where dedupe_key = any(keys) or body_key = any(bodies))
      and not exists (select from users u where u.email = any(emails) and u.contractor_id || '' = for_contractor)
      and not exists (select from users u where u.phone = any(phones) and u.contractor_id || '' = for_contractor) then
      customers_at := next_moment('users', for_contractor);
      projects_at := next_moment('projects', for_contractor);
      perform set_config('app.stamped', 'on', true);
      -- Projects wait for all customers, who come before them in the feed. Else the parts of a statement run in an order of their own.
      return query
        with r as materialized (
          select r.*, earlier + r.n as number from unnest(batch) r
        ), stored_customers as (
          insert into users (id, contractor_id, name, email, phone, phone_raw, address, city, state, zip, owns_project, updated_at)
          select new_customer, for_contractor, customer_name, email, phone, phone_raw, address, city, state, zip, true, customers_at from r
          returning id
        ), stored_projects as (
          insert into projects (id, contractor_id, customer_id, job_number, name, status, address, city, state, zip, description, updated_at)
          select new_project, for_contractor, new_customer, number, project_name, 'lead', address, city, state, zip, notes, projects_at from r
          where (select count(*) from stored_customers) > 0
        ), stored_leads as (
          insert into leads (project_id, contractor_id, source, dedupe_key, external_id, lead_source, source_keyword,
            source_category, first_name, last_name, email, phone, phone_raw, address, city, state, zip, notes, body_key, matched_by, received_at)
          select new_project, for_contractor, source, dedupe_key, external_id, lead_source, source_keyword,
            source_category, first_name, last_name, email, phone, phone_raw, address, city, state, zip, notes, body_key, 'new', received_at from r
        ), stored_deliveries as (
          insert into lead_deliveries (id, contractor_id, key_id, request_id, source, received_at, content_type, bytes, body,
            outcome, status, project_id, job_number, mapping, replay_of, lead_name, lead_phone, lead_email)
          select delivery_id, for_contractor, key_id, request_id, source, received_at, content_type, bytes, body,
            'created', created_status, new_project, number, mapping, replay_of, lead_name, lead_phone, lead_email from r
        )
        select new_project, number, true from r order by n;
      perform set_config('app.stamped', '', true);
      return;
    end if;
    -- The other way takes its own numbers.
    update job_counters set last = earlier where contractor_id = for_contractor;
  end if;
  return query select * from receive_mixed_leads(for_contractor, batch);
end $$;
