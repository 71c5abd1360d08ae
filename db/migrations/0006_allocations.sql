ALTER TABLE "estimates" ADD COLUMN "source" text;
ALTER TABLE "analytics_invoice_records" ADD COLUMN "source" text;
ALTER TABLE "projects" ADD COLUMN "source" text;
ALTER TABLE "analytics_revenue_transactions" ADD COLUMN "source" text;
ALTER TABLE "users" ADD COLUMN "source" text;
ALTER TABLE "contractors" ADD COLUMN "locale" text;
-- The country that settles how an office writes dates, amounts and phones.
alter table contractors add column country text;
-- One payment for several invoices: the payment stays as it came, and allocations move its money to what it paid. They add up to nothing.
alter table analytics_revenue_transactions drop constraint transactions_type;
alter table analytics_revenue_transactions add constraint transactions_type
  check (type in ('payment_received', 'refund', 'adjustment', 'reversal', 'write_off', 'allocation')) not valid;
alter table analytics_revenue_transactions validate constraint transactions_type;
create index allocations_of_payment on analytics_revenue_transactions (contractor_id, reference) where type = 'allocation';
create index allocations_by_project on analytics_revenue_transactions (contractor_id, project_id, date) where type = 'allocation';
-- Invoices of exported jobs of which nothing says what was paid.
alter table analytics_invoice_records add column payment_known boolean not null default true;
create index invoices_payment_not_known on analytics_invoice_records (contractor_id, currency) where not payment_known;
-- The loads before the last one, which can be taken back after it.
create table earlier_loads (
  load_id text primary key,
  contractor_id text not null references contractors (id),
  files json not null,
  author text,
  created_at timestamp (3) with time zone not null,
  ended_at timestamp (3) with time zone not null,
  last_image bigint not null
);
create index earlier_loads_contractor on earlier_loads (contractor_id, last_image);
select hide_from_planner('earlier_loads', 'contractor_id');
select fence_table('earlier_loads');
-- A customer that a person said is another one as well.
alter table users add column joined_to text references users (id);
alter table users add column joined_with jsonb;
create index users_joined on users (joined_to) where joined_to is not null;

ALTER TABLE "leads" ADD COLUMN "phone_raw" text;
ALTER TABLE "leads" ADD COLUMN "address" text;
ALTER TABLE "leads" ADD COLUMN "city" text;
ALTER TABLE "leads" ADD COLUMN "state" text;
ALTER TABLE "leads" ADD COLUMN "zip" text;
ALTER TABLE "leads" ADD COLUMN "notes" text;
ALTER TABLE "leads" ADD COLUMN "body_key" text;
ALTER TABLE "leads" ADD COLUMN "matched_by" text;
CREATE INDEX "leads_body" ON "leads" USING btree ("body_key") WHERE body_key is not null;
-- Unit costs of up to four decimals. Without a precision the numbers that are there stay as they were written, and no row is rewritten.
alter table material_prices alter column unit_cost set data type numeric;

-- The statuses that projects and estimates had before: files tell what a status is, and never when it became that.
create table status_changes (
  id bigint generated always as identity constraint status_changes_pkey primary key,
  contractor_id text not null
    constraint status_changes_contractor_id_contractors_id_fk references contractors (id),
  resource text not null,
  record_id text not null,
  was text not null,
  became text not null,
  at timestamptz(3) not null
);
create index status_changes_recent on status_changes (contractor_id, at, id);
create index status_changes_at on status_changes (at);
select hide_from_planner('status_changes', 'contractor_id');
select fence_table('status_changes');
create trigger note_status after update on projects
  for each row when (old.status is distinct from new.status) execute function note_status_change('projects');
create trigger note_status after update on estimates
  for each row when (old.status is distinct from new.status) execute function note_status_change('estimates');
-- Leads by their own phone and email, which may be others than their customer's.
create index leads_find_phone on leads (((contractor_id || ':' || reverse(phone)) collate "C")) where phone is not null;
create index leads_find_email on leads (((contractor_id || ':' || email) collate "C")) where email is not null;
-- Notes are found by search with their project: those that are written from now on, and those there are.
create trigger queue_noted after insert on project_entries
  referencing new table as new_rows for each statement execute function queue_noted_projects();
create trigger queue_undone after update on project_entries
  referencing new table as new_rows for each statement execute function queue_noted_projects();
insert into search_queue (owner, kind, reference)
  select distinct contractor_id, 'project', project_id from project_entries where undone_at is null;
-- What was written lately, and the open leads of an office, those of its files too.
create index project_entries_recent on project_entries (contractor_id, created_at, id) where undone_at is null;
create index projects_open on projects (contractor_id, created_at, id) where status in ('lead', 'estimate');

-- What counts of an invoice is what its contractor's days say: transactions dated ahead count from their day, and those that are older than their
-- invoice from its date.
alter table analytics_invoice_records add column pending_amount numeric(14, 2) not null default '0';
alter table analytics_invoice_records add column pending_at timestamptz(3);
alter table analytics_revenue_transactions add column waits_until timestamptz(3);
create index transactions_waiting on analytics_revenue_transactions (contractor_id, waits_until) where waits_until is not null;
create trigger keep_dates after update on analytics_invoice_records
  for each row when (old.invoice_date <> new.invoice_date) execute function keep_currency();
create trigger keep_waiting before update on analytics_revenue_transactions
  for each row when (new.invoice_id is null and new.waits_until is not null) execute function keep_mismatched();
-- The clock now changes open amounts too; the functions of lists that turn are made from the new text.
select register_resource('invoices', 'analytics_invoice_records', feed_settings => 'set enable_nestloop = off set enable_hashjoin = on');
select register_resource('estimates', 'estimates');
-- Those that are there, contractor by contractor in their days: the triggers compute the rest.
do $$
declare
  c record;
begin
  if not exists (select from analytics_invoice_records) then return; end if;
  for c in select id, timezone from contractors where timezone in (select name from pg_timezone_names) loop
    update analytics_revenue_transactions t set currency = t.currency from analytics_invoice_records i
      where t.contractor_id = c.id and i.id = t.invoice_id and (t.date > now() - interval '2 days'
        or i.invoice_date > t.date - interval '2 days' and day_in(i.invoice_date, c.timezone) > day_in(t.date, c.timezone));
    update analytics_invoice_records set status = status
      where contractor_id = c.id and (invoice_date > now() - interval '2 days' or settled_at > now() - interval '2 days');
  end loop;
end $$;
create index invoices_retained on analytics_invoice_records (contractor_id, project_id) where retainage_amount > 0;
CREATE INDEX "leads_find" ON "leads" USING gin (find_words(contractor_id, project_id, first_name || ' ' || last_name)) WITH (fastupdate=false);
CREATE INDEX "estimates_by_number" ON "estimates" USING btree ("contractor_id",number collate "C","id");
CREATE INDEX "invoices_by_open" ON "analytics_invoice_records" USING btree ("contractor_id","open_amount","id");
CREATE INDEX "invoices_by_number" ON "analytics_invoice_records" USING btree ("contractor_id",number collate "C","id");
CREATE INDEX "leads_by_source" ON "leads" USING btree ("contractor_id",coalesce(lead_source, source),"received_at","project_id");
CREATE INDEX "users_by_name" ON "users" USING btree ("contractor_id",lower(name),"id") WHERE owns_project;
CREATE INDEX "corrections_by_date" ON "analytics_revenue_transactions" USING btree ("contractor_id","date","id") WHERE type in ('refund', 'adjustment', 'reversal', 'write_off');
-- When each kind of background work last ran, and how it ended.
create table job_runs (
  job text primary key,
  ran_at timestamptz(3) not null,
  took_ms integer not null,
  succeeded boolean not null,
  succeeded_at timestamptz(3),
  unfinished text[] not null
);

-- The request log in partitions by day, which are dropped whole. A request's id begins with its time, so its days are ranges of ids, and the id
-- alone stays the primary key. The rows that are there stay where they are, in one partition up to the end of today (UTC); it is read through once.
alter table request_log rename to request_log_before;
alter index request_log_pkey rename to request_log_before_pkey;
alter index request_log_walk rename to request_log_before_walk;
alter index request_log_errors rename to request_log_before_errors;
alter index request_log_key rename to request_log_before_key;
alter index request_log_endpoint rename to request_log_before_endpoint;
create table request_log (
  id uuid constraint request_log_pkey primary key,
  at timestamptz(3) not null,
  contractor_id text,
  key_id text,
  method text not null,
  path text not null,
  query text,
  endpoint text not null,
  mcp_method text,
  status smallint not null,
  error_code text,
  address text not null,
  duration_ms real not null,
  user_agent text,
  error_message text,
  error_fields text[]
) partition by range (id);
create index request_log_walk on request_log (contractor_id, at, id);
create index request_log_errors on request_log (contractor_id, (status / 100), at, id) where status >= 400;
create index request_log_key on request_log (contractor_id, key_id, at, id) where key_id is not null;
create index request_log_endpoint on request_log (contractor_id, endpoint, at, id);
select hide_from_planner('request_log', 'contractor_id');
select fence_table('request_log');
-- For requests of days without a partition, so that none is ever refused.
create table request_log_other partition of request_log default;
select hide_from_planner('request_log_other', 'contractor_id');
do $$
declare
  today date := (now() at time zone 'utc')::date;
begin
  if exists (select from request_log_before) then
    with moved as (delete from request_log_before where id >= request_uuid_at(today + 1) returning *)
      insert into request_log_other select * from moved;
    execute format('alter table request_log attach partition request_log_before for values from (minvalue) to (%L)', request_uuid_at(today + 1));
  else
    drop table request_log_before;
  end if;
  perform add_request_days(today, 8);
end $$;
ALTER TABLE "request_log" ADD COLUMN "timing" jsonb;
