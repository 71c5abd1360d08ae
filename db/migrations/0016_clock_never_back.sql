CREATE TABLE "clock" (
	"name" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint

-- Behind which moment a contractor's list must go on: the latest it shows, and the latest at which the service is known to have run.
-- One step into the index, whatever the statistics say: the settings leave the planner nothing else. A moment more than a day ahead
-- is a clock that was wrong, and is not followed. Run as the owner, as the role behind the fence does not read the clock.
create function latest_moment(listed name, of_contractor text) returns timestamptz
language plpgsql security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  shown timestamptz;
begin
  execute format(
    'select updated_at from %I where contractor_id = $1 %s order by updated_at desc limit 1', listed,
    case listed when 'users' then 'and owns_project'
      when 'analytics_revenue_transactions' then 'and type = ''payment_received''' else '' end)
    into shown using of_contractor;
  return coalesce(greatest(shown, (select max(seen_at) from clock where seen_at < clock_timestamp() + interval '1 day')), '-infinity');
end $$;--> statement-breakpoint

-- The moment that a row of a contractor's list gets now. What it must go behind is looked up once in a transaction for each list.
create function next_moment(listed name, of_contractor text) returns timestamptz language plpgsql as $$
declare
  place text := 'clock.' || listed;
  known text := current_setting(place, true);
  floor timestamptz;
begin
  if starts_with(known, of_contractor || ' ') then
    floor := substr(known, length(of_contractor) + 2);
  else
    floor := latest_moment(listed, of_contractor);
    perform set_config(place, of_contractor || ' ' || floor, true);
  end if;
  return greatest(date_trunc('milliseconds', clock_timestamp()), floor + interval '1 millisecond');
end $$;--> statement-breakpoint

create function stamp_listed() returns trigger language plpgsql as $$
begin
  new.updated_at := next_moment(tg_table_name, new.contractor_id);
  return new;
end $$;--> statement-breakpoint

-- `touch` for the lists that are read by `updatedAfter`.
create function touch_listed() returns trigger language plpgsql as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new is distinct from old then
    new.updated_at := greatest(next_moment(tg_table_name, new.contractor_id), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end $$;--> statement-breakpoint

do $$
declare
  listed name;
begin
  foreach listed in array array['users', 'projects', 'analytics_invoice_records', 'analytics_revenue_transactions']::name[] loop
    execute format('drop trigger touch on %I', listed);
    execute format('create trigger touch before update on %I for each row execute function touch_listed()', listed);
    execute format('create trigger stamp before insert on %I for each row execute function stamp_listed()', listed);
  end loop;
end $$;
