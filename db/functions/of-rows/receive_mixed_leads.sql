-- Takes a batch of one contractor's leads in which something may be known, in one transaction: each becomes a project once, and every delivery is written down.
-- Leads are numbered `n` from 1; the answer has a row for each, in that order.
--
-- A lead that is known already is answered without a lock. For the first new one the contractor's counter row is locked until
-- the transaction ends, which puts all makers of leads of that contractor in line, whichever server they run on: the second
-- look below then sees whatever was committed before, so one key makes one project, one person one customer, and the job
-- numbers follow each other without gaps. (Each statement of a volatile function sees what has been committed by then.)
--
-- People are looked up and written one by one, as one lead's person may be the next one's too; the rest is written at the end,
-- all rows of a table in one statement.
-- A person who was joined to a customer is that customer. Each delivery says whose lead it is. A lead of a known customer fills that customer's blank contact fields, unless nothing but the phone
-- number agrees: then the customer is a possible one, and keeps what they have.
--
-- A lead is known by its key, by its body where it came within ten minutes and has no id of its sender (`body_key`), or by the delivery it
-- replays. A `person_key` says that its sender's id may come again with another person: that is a lead of its own, under that key.
create or replace function receive_mixed_leads(for_contractor text, batch lead_row[])
returns table (project_id text, job_number int, created boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  lead record;
  owner text;
  owner_name text;
  namesake text;
  match text;
  matches text[] := '{}';
  known_project text;
  known_number int;
  -- Whom the sender's id stood for before, where that was another person.
  known_name text;
  other_name text;
  other_names text[] := '{}';
  bodies text[] := '{}';
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
    select * from unnest(batch) r order by r.n
  loop
    owner := null;
    match := 'new';
    other_name := null;
    known_name := null;
    known_project := null;
    earlier := array_position(keys, lead.dedupe_key);
    if earlier is not null and lead.person_key is not null and is_other_person(lead.customer_name, lead.email, lead.phone,
        (batch[earlier]).customer_name, (batch[earlier]).email, (batch[earlier]).phone) then
      other_name := (batch[earlier]).customer_name;
      earlier := array_position(keys, lead.person_key);
    end if;
    if earlier is null and lead.body_key is not null then earlier := array_position(bodies, lead.body_key); end if;
    if earlier is not null then
      known_project := projects[earlier];
      known_number := numbers[earlier];
    else
      -- Once without the lock, and once more under it.
      loop
        if lead.body_key is not null then
          select l.project_id, p.job_number into known_project, known_number from leads l join projects p on p.id = l.project_id
            where l.body_key = lead.body_key
              and l.received_at between lead.received_at - interval '10 minutes' and lead.received_at + interval '10 minutes' limit 1;
        elsif lead.person_key is null then
          select l.project_id, p.job_number into known_project, known_number
            from leads l join projects p on p.id = l.project_id where l.dedupe_key = lead.dedupe_key;
        else
          select l.project_id, p.job_number, case when l.dedupe_key = lead.dedupe_key and is_other_person(lead.customer_name, lead.email,
                lead.phone, l.first_name || ' ' || l.last_name, l.email, l.phone) then btrim(l.first_name || ' ' || l.last_name) end
            into known_project, known_number, known_name
            from leads l join projects p on p.id = l.project_id
            where l.dedupe_key = any(array[lead.dedupe_key, lead.person_key]) order by 3 nulls first limit 1;
        end if;
        if known_name is not null then
          other_name := known_name;
          known_project := null;
        end if;
        if known_project is null and lead.replay_of is not null then
          select d.project_id, d.job_number into known_project, known_number from lead_deliveries d
            where (d.id = lead.replay_of or d.replay_of = lead.replay_of) and d.project_id is not null and d.contractor_id || '' = for_contractor
            limit 1;
        end if;
        exit when known_project is not null or last_number is not null;
        insert into job_counters as c (contractor_id, last) values (for_contractor, 0) on conflict do nothing;
        select c.last into last_number from job_counters c where c.contractor_id = for_contractor for update;
      end loop;
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
        select coalesce(u.joined_to, u.id) into owner from users u
          where u.email = lead.email and u.contractor_id || '' = for_contractor order by u.created_at, u.id limit 1;
        if owner is not null then match := 'email'; end if;
      end if;
      if owner is null and lead.phone is not null then
        select coalesce(u.joined_to, u.id), u.name into owner, owner_name from users u
          where u.phone = lead.phone and u.contractor_id || '' = for_contractor order by u.created_at, u.id limit 1;
        if owner is not null then
          match := 'phone';
          if not is_nobody(lead.customer_name) and not names_agree(owner_name, lead.customer_name) then
            -- Of those who share a number, whoever has the lead's name.
            select coalesce(u.joined_to, u.id) into namesake from (
                select u.id, u.joined_to, u.name, u.created_at from users u
                where u.phone = lead.phone and u.contractor_id || '' = for_contractor limit 20) u
              where names_agree(u.name, lead.customer_name) order by u.created_at, u.id limit 1;
            if namesake is null then match := 'possible'; else owner := namesake; end if;
          end if;
        end if;
      end if;
      if match = 'possible' then
        null;
      elsif owner is not null then
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
    keys := array_append(keys, case when other_name is null then lead.dedupe_key else lead.person_key end);
    bodies := array_append(bodies, lead.body_key);
    owners := array_append(owners, owner);
    matches := array_append(matches, match);
    other_names := array_append(other_names, other_name);
  end loop;

  if array_position(made, true) is not null then
    update job_counters as c set last = last_number where c.contractor_id = for_contractor;
    if cardinality(unsaved) > 0 then perform store_lead_customers(for_contractor, batch, unsaved); end if;
    insert into projects (id, contractor_id, customer_id, job_number, name, status, address, city, state, zip, description)
      select r.new_project, for_contractor, owners[r.n], numbers[r.n], r.project_name, 'lead', r.address, r.city, r.state,
        r.zip, lead_notes(r.notes, r.external_id, other_names[r.n])
      from unnest(batch) r
      where made[r.n];
    insert into leads (project_id, contractor_id, source, dedupe_key, external_id, lead_source, source_keyword,
        source_category, first_name, last_name, email, phone, phone_raw, address, city, state, zip, notes, body_key, matched_by, received_at)
      select r.new_project, for_contractor, r.source, keys[r.n], r.external_id, r.lead_source, r.source_keyword,
        r.source_category, r.first_name, r.last_name, r.email, r.phone, r.phone_raw, r.address, r.city, r.state, r.zip,
        lead_notes(r.notes, r.external_id, other_names[r.n]), r.body_key, matches[r.n], r.received_at
      from unnest(batch) r
      where made[r.n];
  end if;

  insert into lead_deliveries (id, contractor_id, key_id, request_id, source, received_at, content_type, bytes, body,
      outcome, status, project_id, job_number, mapping, replay_of, lead_name, lead_phone, lead_email)
    select r.delivery_id, for_contractor, r.key_id, r.request_id, r.source, r.received_at, r.content_type, r.bytes, r.body,
      case when made[r.n] then 'created' else 'duplicate' end, case when made[r.n] then r.created_status else 200 end,
      projects[r.n], numbers[r.n], r.mapping, r.replay_of, r.lead_name, r.lead_phone, r.lead_email
    from unnest(batch) r;

  return query select projects[i], numbers[i], made[i] from generate_subscripts(made, 1) i order by i;
end $$;
