-- As before (0021), and a lead of a known customer fills the blank contact fields of that customer.
create or replace function receive_leads(for_contractor text, batch jsonb)
returns table (project_id text, job_number int, created boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  lead record;
  owner text;
  known_project text;
  known_number int;
  earlier int;
  last_number int;
  keys text[] := '{}';
  made boolean[] := '{}';
  owners text[] := '{}';
  projects text[] := '{}';
  numbers int[] := '{}';
begin
  for lead in
    select * from jsonb_to_recordset(batch) as r(
      n int, dedupe_key text, new_project text, new_customer text, customer_name text, email text, phone text,
      phone_raw text, address text, city text, state text, zip text)
    order by r.n
  loop
    owner := null;
    earlier := array_position(keys, lead.dedupe_key);
    if earlier is not null then
      known_project := projects[earlier];
      known_number := numbers[earlier];
    else
      select l.project_id, p.job_number into known_project, known_number
        from leads l join projects p on p.id = l.project_id where l.dedupe_key = lead.dedupe_key;
      if not found and last_number is null then
        insert into job_counters as c (contractor_id, last) values (for_contractor, 0) on conflict do nothing;
        select c.last into last_number from job_counters c where c.contractor_id = for_contractor for update;
        select l.project_id, p.job_number into known_project, known_number
          from leads l join projects p on p.id = l.project_id where l.dedupe_key = lead.dedupe_key;
      end if;
    end if;

    if known_project is null then
      -- `|| ''` keeps the planner from an index that leads with the contractor: it would read all the contractor's people.
      if lead.email is not null then
        select u.id into owner from users u
          where u.email = lead.email and u.contractor_id || '' = for_contractor order by u.created_at, u.id limit 1;
      end if;
      if owner is null and lead.phone is not null then
        select u.id into owner from users u
          where u.phone = lead.phone and u.contractor_id || '' = for_contractor order by u.created_at, u.id limit 1;
      end if;
      if owner is not null then
        -- Only what is blank: what the office wrote stays. An address is filled whole or not at all.
        update users u set
            email = coalesce(u.email, lead.email),
            phone = coalesce(u.phone, lead.phone),
            phone_raw = case when u.phone is null and lead.phone is not null then lead.phone_raw else u.phone_raw end,
            address = case when (coalesce(u.address, u.city, u.state, u.zip) is null) then lead.address else u.address end,
            city = case when (coalesce(u.address, u.city, u.state, u.zip) is null) then lead.city else u.city end,
            state = case when (coalesce(u.address, u.city, u.state, u.zip) is null) then lead.state else u.state end,
            zip = case when (coalesce(u.address, u.city, u.state, u.zip) is null) then lead.zip else u.zip end
          where u.id = owner and u.contractor_id = for_contractor
            and (u.email is null and lead.email is not null
              or u.phone is null and lead.phone is not null
              or (coalesce(u.address, u.city, u.state, u.zip) is null) and coalesce(lead.address, lead.city, lead.state, lead.zip) is not null);
      else
        owner := lead.new_customer;
        insert into users (id, contractor_id, name, email, phone, phone_raw, address, city, state, zip, owns_project)
          values (owner, for_contractor, lead.customer_name, lead.email, lead.phone, lead.phone_raw,
            lead.address, lead.city, lead.state, lead.zip, true);
      end if;
      last_number := last_number + 1;
      made := array_append(made, true);
      projects := array_append(projects, lead.new_project);
      numbers := array_append(numbers, last_number);
    else
      made := array_append(made, false);
      projects := array_append(projects, known_project);
      numbers := array_append(numbers, known_number);
    end if;
    keys := array_append(keys, lead.dedupe_key);
    owners := array_append(owners, owner);
  end loop;

  if array_position(made, true) is not null then
    update job_counters as c set last = last_number where c.contractor_id = for_contractor;
    insert into projects (id, contractor_id, customer_id, job_number, name, status, address, city, state, zip, description)
      select r.new_project, for_contractor, owners[r.n], numbers[r.n], r.project_name, 'lead', r.address, r.city, r.state,
        r.zip, r.notes
      from jsonb_to_recordset(batch) as r(
        n int, new_project text, project_name text, address text, city text, state text, zip text, notes text)
      where made[r.n];
    insert into leads (project_id, contractor_id, source, dedupe_key, external_id, lead_source, source_keyword,
        source_category, first_name, last_name, email, phone, received_at)
      select r.new_project, for_contractor, r.source, r.dedupe_key, r.external_id, r.lead_source, r.source_keyword,
        r.source_category, r.first_name, r.last_name, r.email, r.phone, r.received_at
      from jsonb_to_recordset(batch) as r(
        n int, new_project text, source text, dedupe_key text, external_id text, lead_source text, source_keyword text,
        source_category text, first_name text, last_name text, email text, phone text, received_at timestamptz)
      where made[r.n];
  end if;

  insert into lead_deliveries (id, contractor_id, key_id, request_id, source, received_at, content_type, bytes, body,
      outcome, status, project_id, job_number, mapping, replay_of, lead_name, lead_phone, lead_email)
    select r.delivery_id, for_contractor, r.key_id, r.request_id, r.source, r.received_at, r.content_type, r.bytes, r.body,
      case when made[r.n] then 'created' else 'duplicate' end, case when made[r.n] then r.created_status else 200 end,
      projects[r.n], numbers[r.n], r.mapping, r.replay_of, r.lead_name, r.lead_phone, r.lead_email
    from jsonb_to_recordset(batch) as r(
      n int, delivery_id text, key_id text, request_id text, source text, received_at timestamptz, content_type text,
      bytes int, body text, created_status int, mapping jsonb, replay_of text, lead_name text, lead_phone text, lead_email text);

  return query select projects[i], numbers[i], made[i] from generate_subscripts(made, 1) i order by i;
end $$;
