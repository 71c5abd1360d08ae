-- Leads as senders post them.

create table leads (
  project_id text primary key
    constraint leads_project_id_projects_id_fk references projects (id),
  contractor_id text not null,
  source text not null,
  dedupe_key text not null constraint leads_dedupe_key_unique unique,
  external_id text,
  lead_source text,
  source_keyword text,
  source_category text not null,
  first_name text not null,
  last_name text not null,
  email text,
  phone text,
  received_at timestamptz(3) not null
);
create index leads_received on leads (contractor_id, received_at, project_id);

create table lead_deliveries (
  id text primary key,
  contractor_id text not null,
  key_id text,
  request_id text not null,
  source text not null,
  received_at timestamptz(3) not null,
  content_type text,
  bytes integer not null,
  body text not null,
  outcome text not null,
  status integer not null,
  project_id text,
  job_number integer,
  reason text,
  faults jsonb,
  mapping jsonb,
  replay_of text,
  lead_name text,
  lead_phone text,
  lead_email text
);
create index lead_deliveries_walk on lead_deliveries (contractor_id, id);
create index lead_deliveries_faulty on lead_deliveries (contractor_id, outcome, id) where outcome in ('refused', 'failed');
create index lead_deliveries_replays on lead_deliveries (replay_of) where replay_of is not null;
create index lead_deliveries_request on lead_deliveries (contractor_id, request_id);

create table lead_source_secrets (
  contractor_id text
    constraint lead_source_secrets_contractor_id_contractors_id_fk references contractors (id),
  source text,
  secret_hash text,
  sealed text,
  constraint lead_source_secrets_contractor_id_source_pk primary key (contractor_id, source),
  constraint lead_source_secrets_one check (secret_hash is not null or sealed is not null)
);

-- Behind the second fence, and unknown to the planner (docs/decisions/032-second-fence.md, 033-query-plans.md).
select hide_from_planner(t, 'contractor_id') from unnest(
  '{leads, lead_deliveries, lead_source_secrets}'::regclass[]) t;
select fence_table(t) from unnest(
  '{leads, lead_deliveries, lead_source_secrets}'::regclass[]) t;
