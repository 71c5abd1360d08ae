-- Contractors, their records, and the feed of what changes in them.

create table contractors (
  id text primary key,
  slug text not null constraint contractors_slug_unique unique,
  name text not null,
  trade text,
  city text,
  state text,
  timezone text not null default 'America/New_York',
  currency text not null default 'USD',
  demo boolean not null default false,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);

create table change_base (
  resource text primary key,
  reached text not null default ''
);

create table change_heads (
  contractor_id text primary key,
  position bigint not null default 0,
  numbered_at timestamptz not null default '1970-01-01 00:00:00+00',
  forgotten_to bigint not null default 0
);

create table change_queue (
  contractor_id text,
  id bigint generated always as identity,
  resource text not null,
  record_id text not null,
  change text not null,
  version timestamptz(3),
  was timestamptz(3),
  counted boolean not null default false,
  constraint change_queue_contractor_id_id_pk primary key (contractor_id, id),
  constraint change_queue_change check (change in ('created', 'updated', 'deleted', 'turned'))
);
create index change_queue_deleted on change_queue (record_id) where change = 'deleted';

create table change_totals (
  contractor_id text,
  resource text,
  count bigint not null,
  checksum bigint not null,
  constraint change_totals_contractor_id_resource_pk primary key (contractor_id, resource)
);

create table changes (
  contractor_id text,
  position bigint,
  resource text,
  record_id text not null,
  change text not null,
  version timestamptz(3),
  numbered_at timestamptz not null,
  count_before bigint,
  sum_before bigint,
  constraint changes_contractor_id_resource_position_pk primary key (contractor_id, resource, position),
  constraint changes_change check (change in ('created', 'updated', 'deleted', 'turned'))
);
create index changes_numbered on changes (numbered_at);
create index changes_deleted on changes (record_id, position) where change = 'deleted';

create table clock (
  name text primary key,
  seen_at timestamptz(3) not null
);

create table job_counters (
  contractor_id text primary key
    constraint job_counters_contractor_id_contractors_id_fk references contractors (id),
  last integer not null default 0
);

create table users (
  id text primary key,
  contractor_id text not null
    constraint users_contractor_id_contractors_id_fk references contractors (id),
  source_reference text,
  name text not null,
  email text,
  phone text,
  phone_raw text,
  address text,
  city text,
  state text,
  zip text,
  owns_project boolean not null default false,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index users_source on users (contractor_id, source_reference);
create index users_email on users (email) where email is not null;
create index users_phone on users (phone) where phone is not null;
create index users_walk on users (contractor_id collate "C", updated_at, id) where owns_project;
create index users_find_email on users ((contractor_id || ':' || email) collate "C") where owns_project and email is not null;
create index users_find_phone on users ((contractor_id || ':' || reverse(phone)) collate "C") where owns_project and phone is not null;
create index users_find on users using gin (find_words(contractor_id, id, name || ' ' || coalesce(address, ''))) with (fastupdate = false)
  where owns_project;

create table projects (
  id text primary key,
  contractor_id text not null
    constraint projects_contractor_id_contractors_id_fk references contractors (id),
  customer_id text not null
    constraint projects_customer_id_users_id_fk references users (id),
  source_reference text,
  name text not null,
  status text not null,
  total_amount numeric(14, 2) not null default '0',
  address text,
  city text,
  state text,
  zip text,
  description text,
  start_date date,
  end_date date,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  job_number integer,
  constraint projects_status check (status in ('lead', 'estimate', 'scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled'))
);
create unique index projects_source on projects (contractor_id, source_reference);
create index projects_by_customer on projects (contractor_id, customer_id, updated_at, id);
create index projects_owner on projects (customer_id);
create unique index projects_job_number on projects (contractor_id, job_number) where job_number is not null;
create index projects_walk on projects (contractor_id collate "C", updated_at, id);
create index projects_by_status on projects (status, contractor_id, updated_at, id);
create index projects_by_amount on projects (contractor_id, total_amount, id);
create index projects_by_start on projects (contractor_id, start_date, id) where start_date is not null;
create index projects_by_end on projects (contractor_id, end_date, id) where end_date is not null;
create index projects_find on projects using gin (find_words(contractor_id, id, name || ' ' || coalesce(address, ''))) with (fastupdate = false);

create table analytics_invoice_records (
  id text primary key,
  contractor_id text not null
    constraint analytics_invoice_records_contractor_id_contractors_id_fk references contractors (id),
  project_id text not null
    constraint analytics_invoice_records_project_id_projects_id_fk references projects (id),
  customer_id text not null
    constraint analytics_invoice_records_customer_id_users_id_fk references users (id),
  source_reference text,
  number text not null,
  amount numeric(14, 2) not null,
  currency text not null,
  invoice_date timestamptz(3) not null,
  due_date timestamptz(3) not null,
  settled_at timestamptz(3),
  paid_amount numeric(14, 2) not null default '0',
  status text not null default 'current',
  turns_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  refunded_amount numeric(14, 2) not null default '0',
  reversed_amount numeric(14, 2) not null default '0',
  credited_amount numeric(14, 2) not null default '0',
  written_off_amount numeric(14, 2) not null default '0',
  retainage_amount numeric(14, 2) not null default '0',
  stated_balance numeric(14, 2),
  stated_at timestamptz(3),
  open_amount numeric(14, 2) not null default '0',
  constraint invoices_status check (status in ('paid', 'overdue', 'current', 'future'))
);
create unique index invoices_source on analytics_invoice_records (contractor_id, source_reference);
create index invoices_by_customer on analytics_invoice_records (contractor_id, customer_id, updated_at, id);
create index invoices_by_project on analytics_invoice_records (contractor_id, project_id, updated_at, id);
create index invoices_turning on analytics_invoice_records (contractor_id, turns_at) where turns_at is not null;
create index invoices_walk on analytics_invoice_records (contractor_id collate "C", updated_at, id);
create index invoices_by_status on analytics_invoice_records (status, contractor_id, updated_at, id);
create index invoices_find on analytics_invoice_records ((contractor_id || ':' || find_number(number)) collate "C");
create index invoices_by_due on analytics_invoice_records (contractor_id, due_date, id);
create index invoices_by_amount on analytics_invoice_records (contractor_id, amount, id);
create index invoices_by_date on analytics_invoice_records (contractor_id, invoice_date, id);
create index invoices_of_project on analytics_invoice_records (project_id);
create index invoices_of_customer on analytics_invoice_records (customer_id);
create index invoices_in_credit on analytics_invoice_records (contractor_id, customer_id) where open_amount < 0;
create index invoices_settled on analytics_invoice_records (contractor_id, coalesce(settled_at, stated_at))
  where coalesce(settled_at, stated_at) is not null;

create table analytics_revenue_transactions (
  id text primary key,
  contractor_id text not null
    constraint analytics_revenue_transactions_contractor_id_contractors_id_fk references contractors (id),
  project_id text not null
    constraint analytics_revenue_transactions_project_id_projects_id_fk references projects (id),
  customer_id text not null
    constraint analytics_revenue_transactions_customer_id_users_id_fk references users (id),
  invoice_id text
    constraint analytics_revenue_transactions_invoice_id_analytics_invoice_rec references analytics_invoice_records (id),
  source_reference text,
  type text not null,
  amount numeric(14, 2) not null,
  currency text not null,
  date timestamptz(3) not null,
  method text not null,
  reference text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  mismatched boolean not null default false,
  method_detail text,
  constraint transactions_method check (method in ('card', 'ach', 'check', 'cash', 'wire', 'other')),
  constraint transactions_type check (type in ('payment_received', 'refund', 'adjustment', 'reversal', 'write_off'))
);
create unique index transactions_source on analytics_revenue_transactions (contractor_id, source_reference);
create index payments_by_customer on analytics_revenue_transactions (contractor_id, customer_id, updated_at, id)
  where type = 'payment_received';
create index payments_by_project on analytics_revenue_transactions (contractor_id, project_id, updated_at, id)
  where type = 'payment_received';
create index transactions_by_invoice on analytics_revenue_transactions (invoice_id);
create index refunds_by_project on analytics_revenue_transactions (contractor_id, project_id, date) where type = 'refund';
create index payments_walk on analytics_revenue_transactions (contractor_id collate "C", updated_at, id) where type = 'payment_received';
create index payments_find on analytics_revenue_transactions ((contractor_id || ':' || find_number(reference)) collate "C")
  where type = 'payment_received' and reference is not null;
create index payments_by_amount on analytics_revenue_transactions (contractor_id, amount, id) where type = 'payment_received';
create index payments_by_date on analytics_revenue_transactions (contractor_id, date, id) where type = 'payment_received';
create index transactions_of_project on analytics_revenue_transactions (project_id);
create index transactions_of_customer on analytics_revenue_transactions (customer_id);
create index corrections_by_project on analytics_revenue_transactions (contractor_id, project_id, date)
  where type in ('adjustment', 'reversal', 'write_off');
create index transactions_unapplied on analytics_revenue_transactions (contractor_id, customer_id, currency, type, date, amount)
  where invoice_id is null or mismatched;

create table estimates (
  id text primary key,
  contractor_id text not null
    constraint estimates_contractor_id_contractors_id_fk references contractors (id),
  customer_id text not null
    constraint estimates_customer_id_users_id_fk references users (id),
  project_id text
    constraint estimates_project_id_projects_id_fk references projects (id),
  source_reference text,
  number text not null,
  amount numeric(14, 2) not null,
  currency text not null,
  estimate_date timestamptz(3) not null,
  valid_until timestamptz(3),
  stated_status text not null,
  status text not null default 'draft',
  turns_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  constraint estimates_status check (status in ('draft', 'sent', 'accepted', 'declined', 'expired')),
  constraint estimates_stated_status check (stated_status in ('draft', 'sent', 'accepted', 'declined', 'expired'))
);
create unique index estimates_source on estimates (contractor_id, source_reference);
create index estimates_walk on estimates (contractor_id collate "C", updated_at, id);
create index estimates_by_customer on estimates (contractor_id, customer_id, updated_at, id);
create index estimates_by_project on estimates (contractor_id, project_id, updated_at, id);
create index estimates_by_status on estimates (status, contractor_id, updated_at, id);
create index estimates_turning on estimates (contractor_id, turns_at) where turns_at is not null;
create index estimates_find on estimates ((contractor_id || ':' || find_number(number)) collate "C");
create index estimates_by_amount on estimates (contractor_id, amount, id);
create index estimates_by_date on estimates (contractor_id, estimate_date, id);
create index estimates_of_project on estimates (project_id);
create index estimates_of_customer on estimates (customer_id);

create table project_entries (
  id text primary key,
  contractor_id text not null
    constraint project_entries_contractor_id_contractors_id_fk references contractors (id),
  project_id text not null
    constraint project_entries_project_id_projects_id_fk references projects (id),
  kind text not null,
  text text,
  follow_up_on date,
  replaces text,
  author text not null,
  idempotency_key text not null,
  author_kind text not null,
  author_name text not null,
  created_at timestamptz(3) not null,
  undone_at timestamptz(3),
  undone_by text,
  constraint project_entries_kind check (kind in ('note', 'follow_up'))
);
create unique index project_entries_once on project_entries (contractor_id, author, idempotency_key);
create index project_entries_project on project_entries (contractor_id, project_id, kind, created_at, id);
create index project_entries_undone on project_entries (undone_at) where undone_at is not null;
create index project_entries_due on project_entries (contractor_id, follow_up_on) where kind = 'follow_up' and undone_at is null;
create index project_entries_of_project on project_entries (project_id);

-- Behind the second fence, and unknown to the planner (docs/decisions/032-second-fence.md, 033-query-plans.md).
select hide_from_planner(t, 'contractor_id') from unnest(
  '{change_heads, change_queue, change_totals, changes, job_counters}'::regclass[]) t;
select fence_table(t) from unnest(
  '{change_heads, change_queue, change_totals, changes, job_counters, project_entries}'::regclass[]) t;

-- A contractor's own row names them by its id.
select fence_table('contractors', 'id');

create trigger touch before update on contractors for each row execute function touch();
create trigger keep_days after update on contractors
  for each row when (old.timezone is distinct from new.timezone) execute function keep_days();

create trigger remember_forgotten after delete on changes
  referencing old table as old_rows for each statement execute function remember_forgotten();

-- What each resource has. A home-owner is a customer while a project is theirs; queued row by row, as each new project asks to
-- mark its owner and most are marked already.
select register_resource('customers', 'users', shown => 'row.owns_project', by_row => 'queue_customer', writer_stamps => true);
select register_resource('projects', 'projects', writer_stamps => true);
-- Payments change invoices with hash joins off (`sum_invoice_payments`).
select register_resource('invoices', 'analytics_invoice_records', feed_settings => 'set enable_nestloop = off set enable_hashjoin = on');
select register_resource('payments', 'analytics_revenue_transactions', shown => 'row.type = ''payment_received''');
select register_resource('estimates', 'estimates');

-- What follows from a record. Triggers of one event run by name.
create trigger add_owners after insert on projects
  referencing new table as new_rows for each statement execute function mark_owners_of_new();
create trigger keep_owner_of_changed after update on projects
  for each row when (old.customer_id is distinct from new.customer_id) execute function keep_project_owner();
create trigger keep_owner_of_deleted after delete on projects for each row execute function keep_project_owner();
create trigger queue_new after insert on projects
  referencing new table as new_rows for each statement execute function queue_new_projects();
create trigger queue_changed after update on projects
  referencing old table as old_rows new table as new_rows for each statement execute function queue_changed_projects();
create trigger queue_gone after delete on projects
  referencing old table as old_rows for each statement execute function queue_gone_projects();

create trigger keep_status before insert or update on analytics_invoice_records for each row execute function keep_invoice_status();
create trigger keep_currency after update on analytics_invoice_records
  for each row when (old.currency <> new.currency) execute function keep_currency();

create trigger keep_mismatched before insert or update on analytics_revenue_transactions
  for each row when (new.invoice_id is not null or new.mismatched) execute function keep_mismatched();
create trigger payments_inserted after insert on analytics_revenue_transactions
  referencing new table as new_rows for each statement execute function payments_inserted();
create trigger payments_updated after update on analytics_revenue_transactions
  referencing old table as old_rows new table as new_rows for each statement execute function payments_updated();
create trigger payments_deleted after delete on analytics_revenue_transactions
  referencing old table as old_rows for each statement execute function payments_deleted();

create trigger keep_status before insert or update on estimates for each row execute function keep_estimate_status();
