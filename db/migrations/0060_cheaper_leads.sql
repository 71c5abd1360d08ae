-- Storing leads, for less. What is stored is the same.

-- As before (0029), with the same words for the same row, so the indexes stay as they are. A function in SQL is parsed and planned again by each
-- statement that writes an indexed row; this took half the time of storing a lead. A function in PL/pgSQL is planned once a session.
create or replace function find_words(owner text, id text, given text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  words text := public.find_text(left(given, 600));
  sample int := hashtext(id);
begin
  return array_to_tsvector(string_to_array(public.find_prefixed(owner, words)
      || case when sample & 7 = 0 then ' ' || public.find_prefixed(owner || '/8', words) else '' end
      || case when sample & 63 = 0 then ' ' || public.find_prefixed(owner || '/64', words) else '' end
      || case when sample & 511 = 0 then ' ' || public.find_prefixed(owner || '/512', words) else '' end, ' '));
end $$;--> statement-breakpoint

-- As before (0018), with a plan that is kept for each list. The settings leave the planner one step into the index, however short the table is.
create or replace function latest_moment(listed name, of_contractor text) returns timestamptz
language plpgsql security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  shown timestamptz;
begin
  case listed
    when 'users' then select updated_at into shown from users
      where contractor_id collate "C" = of_contractor and owns_project order by updated_at desc limit 1;
    when 'projects' then select updated_at into shown from projects
      where contractor_id collate "C" = of_contractor order by updated_at desc limit 1;
    when 'analytics_invoice_records' then select updated_at into shown from analytics_invoice_records
      where contractor_id collate "C" = of_contractor order by updated_at desc limit 1;
    when 'analytics_revenue_transactions' then select updated_at into shown from analytics_revenue_transactions
      where contractor_id collate "C" = of_contractor and type = 'payment_received' order by updated_at desc limit 1;
    when 'estimates' then select updated_at into shown from estimates
      where contractor_id collate "C" = of_contractor order by updated_at desc limit 1;
    else execute format('select updated_at from %I where contractor_id collate "C" = $1 order by updated_at desc limit 1', listed)
      into shown using of_contractor;
  end case;
  return coalesce(greatest(shown, (select max(seen_at) from clock where seen_at < clock_timestamp() + interval '1 day')), '-infinity');
end $$;--> statement-breakpoint
-- As before (0016); a row after the first of its list in a transaction does not call another function.
create or replace function stamp_listed() returns trigger language plpgsql as $$
declare
  known text := current_setting('clock.' || tg_table_name, true);
begin
  new.updated_at := case when starts_with(known, new.contractor_id || ' ')
    then greatest(date_trunc('milliseconds', clock_timestamp()),
      substr(known, length(new.contractor_id) + 2)::timestamptz + interval '1 millisecond')
    else next_moment(tg_table_name, new.contractor_id) end;
  return new;
end $$;--> statement-breakpoint

-- New customers enter the feed (0028) by one statement for all of them. Changed and deleted ones still do so one by one.
create function queue_created_customers() returns trigger language plpgsql as $$
begin
  insert into change_queue (contractor_id, resource, record_id, change, version)
    select n.contractor_id, 'customers', n.id, 'created', n.updated_at from new_rows n where n.owns_project;
  return null;
end $$;--> statement-breakpoint
drop trigger feed_created on users;--> statement-breakpoint
create trigger feed_created after insert on users
  referencing new table as new_rows for each statement execute function queue_created_customers();--> statement-breakpoint

-- Owners of new projects become customers (0001) by one statement for all of them. Triggers of one event run by name: before `feed_created`, so that
-- a customer is in the feed before their project.
create function mark_owners_of_new() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  owners text[] := array(select u.id from users u
    where u.id = any(array(select n.customer_id from new_rows n)) and not u.owns_project order by u.id for no key update);
begin
  if cardinality(owners) > 0 then
    update users set owns_project = true where id = any(owners) and not owns_project;
  end if;
  return null;
end $$;--> statement-breakpoint
drop trigger keep_owner_of_new on projects;--> statement-breakpoint
create trigger add_owners after insert on projects
  referencing new table as new_rows for each statement execute function mark_owners_of_new();--> statement-breakpoint
create trigger keep_owner_of_deleted after delete on projects
  for each row execute function keep_project_owner();--> statement-breakpoint

-- Stores the customers of some leads of a batch, which are given by their numbers.
create function store_lead_customers(for_contractor text, batch jsonb, numbers int[]) returns void language plpgsql as $$
begin
  insert into users (id, contractor_id, name, email, phone, phone_raw, address, city, state, zip, owns_project)
    select r.new_customer, for_contractor, r.customer_name, r.email, r.phone, r.phone_raw, r.address, r.city, r.state, r.zip, true
    from jsonb_to_recordset(batch) as r(n int, new_customer text, customer_name text, email text, phone text, phone_raw text,
      address text, city text, state text, zip text)
    where r.n = any(numbers) order by r.n;
end $$;--> statement-breakpoint
-- As before (0049), and the new customers of a batch are stored together.
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
  -- Leads whose customers are new and not stored yet, and how these can be reached.
  unsaved int[] := '{}';
  unsaved_emails text[] := '{}';
  unsaved_phones text[] := '{}';
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
      -- The person may be the customer of an earlier lead of the batch.
      if lead.email = any(unsaved_emails) or lead.phone = any(unsaved_phones) then
        perform store_lead_customers(for_contractor, batch, unsaved);
        unsaved := '{}';
        unsaved_emails := '{}';
        unsaved_phones := '{}';
      end if;
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
        unsaved := array_append(unsaved, lead.n);
        unsaved_emails := array_append(unsaved_emails, lead.email);
        unsaved_phones := array_append(unsaved_phones, lead.phone);
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
    if cardinality(unsaved) > 0 then perform store_lead_customers(for_contractor, batch, unsaved); end if;
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
