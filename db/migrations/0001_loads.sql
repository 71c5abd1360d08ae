-- Files that are loaded: what waits, what ran, how it is taken back, and where files come from by themselves.

create table loads (
  id text primary key,
  contractor_id text not null
    constraint loads_contractor_id_contractors_id_fk references contractors (id),
  key_id text,
  file text not null,
  complete text,
  size bigint not null,
  state text not null,
  read integer not null default 0,
  report json,
  counts json,
  error text,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint loads_state check ((state = 'running') = (ended_at is null))
);
create index loads_contractor on loads (contractor_id, id);
create index loads_created on loads (created_at);

create table load_uploads (
  contractor_id text primary key
    constraint load_uploads_contractor_id_contractors_id_fk references contractors (id),
  upload text not null,
  file text not null,
  encoding text not null,
  size bigint not null,
  received bigint not null,
  seen_at timestamptz(3) not null
);

create table load_parts (
  contractor_id text
    constraint load_parts_contractor_id_load_uploads_contractor_id_fk references load_uploads (contractor_id) on delete cascade,
  at bigint,
  bytes bytea not null,
  constraint load_parts_contractor_id_at_pk primary key (contractor_id, at)
);
alter table load_parts alter column bytes set storage external;

create table load_journals (
  contractor_id text primary key
    constraint load_journals_contractor_id_contractors_id_fk references contractors (id),
  load_id text not null,
  state text not null,
  step text,
  files json not null,
  author text,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint load_journals_state check (state in ('running', 'ended', 'taking_back', 'taken_back'))
);

create table load_images (
  contractor_id text
    constraint load_images_contractor_id_load_journals_contractor_id_fk references load_journals (contractor_id) on delete cascade,
  n bigint generated always as identity,
  step text not null,
  table_name text not null,
  record_id text not null,
  before jsonb,
  after bigint,
  constraint load_images_contractor_id_n_pk primary key (contractor_id, n)
);

create table load_mappings (
  contractor_id text
    constraint load_mappings_contractor_id_contractors_id_fk references contractors (id),
  shape text,
  name text not null,
  mapping jsonb not null,
  updated_at timestamptz(3) not null,
  constraint load_mappings_contractor_id_shape_pk primary key (contractor_id, shape)
);

create table data_freshness (
  contractor_id text
    constraint data_freshness_contractor_id_contractors_id_fk references contractors (id),
  resource text,
  at timestamptz(3) not null,
  constraint data_freshness_contractor_id_resource_pk primary key (contractor_id, resource)
);

create table scheduled_sources (
  id text primary key,
  contractor_id text not null
    constraint scheduled_sources_contractor_id_contractors_id_fk references contractors (id),
  kind text not null,
  name text not null,
  settings jsonb not null,
  secret text,
  token_hash text,
  every text,
  hour integer,
  weekday integer,
  dates text,
  complete boolean not null,
  state text not null,
  paused_at timestamptz(3),
  paused_reason text,
  failures integer not null default 0,
  failing_since timestamptz(3),
  last_run_at timestamptz(3),
  last_success_at timestamptz(3),
  next_at timestamptz(3),
  lease_until timestamptz(3),
  seen jsonb not null default '{}',
  created_at timestamptz(3) not null,
  created_by text not null
);
create index scheduled_sources_contractor on scheduled_sources (contractor_id, id);
create index scheduled_sources_due on scheduled_sources (next_at) where state = 'active' and next_at is not null;
create index scheduled_sources_token on scheduled_sources (token_hash) where token_hash is not null;

create table load_drafts (
  id text primary key,
  contractor_id text not null
    constraint load_drafts_contractor_id_contractors_id_fk references contractors (id),
  source_id text
    constraint load_drafts_source_id_scheduled_sources_id_fk references scheduled_sources (id) on delete cascade,
  created_at timestamptz(3) not null,
  is_dropped boolean not null default false
);
create index load_drafts_contractor on load_drafts (contractor_id, created_at);
create index load_drafts_created on load_drafts (created_at);

create table load_draft_files (
  id text primary key,
  contractor_id text not null
    constraint load_draft_files_contractor_id_contractors_id_fk references contractors (id),
  draft_id text not null
    constraint load_draft_files_draft_id_load_drafts_id_fk references load_drafts (id) on delete cascade,
  file text not null,
  role text not null,
  size bigint not null default 0,
  state text not null
);
create index load_draft_files_draft on load_draft_files (draft_id);
create index load_draft_files_contractor on load_draft_files (contractor_id);

create table load_draft_parts (
  contractor_id text not null
    constraint load_draft_parts_contractor_id_contractors_id_fk references contractors (id),
  file_id text
    constraint load_draft_parts_file_id_load_draft_files_id_fk references load_draft_files (id) on delete cascade,
  at bigint,
  bytes bytea not null,
  constraint load_draft_parts_file_id_at_pk primary key (file_id, at)
);
alter table load_draft_parts alter column bytes set storage external;

create table source_runs (
  id text primary key,
  contractor_id text not null
    constraint source_runs_contractor_id_contractors_id_fk references contractors (id),
  source_id text not null
    constraint source_runs_source_id_scheduled_sources_id_fk references scheduled_sources (id) on delete cascade,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  outcome text not null,
  files json not null,
  added integer not null default 0,
  updated integer not null default 0,
  deleted integer not null default 0,
  refused integer not null default 0,
  error text,
  load_id text,
  draft_id text
);
create index source_runs_source on source_runs (source_id, id);
create index source_runs_contractor on source_runs (contractor_id, ended_at);
create index source_runs_started on source_runs (started_at);

create table source_mails (
  contractor_id text not null
    constraint source_mails_contractor_id_contractors_id_fk references contractors (id),
  source_id text
    constraint source_mails_source_id_scheduled_sources_id_fk references scheduled_sources (id) on delete cascade,
  message_hash text,
  received_at timestamptz(3) not null,
  constraint source_mails_source_id_message_hash_pk primary key (source_id, message_hash)
);
create index source_mails_received on source_mails (received_at);

create table connectors (
  contractor_id text
    constraint connectors_contractor_id_contractors_id_fk references contractors (id),
  connector text,
  company text not null,
  company_name text,
  environment text not null,
  state text not null,
  state_at timestamptz(3) not null,
  access_token text,
  access_until timestamptz(3),
  refresh_token text,
  refresh_until timestamptz(3),
  token_version integer not null default 0,
  refreshing_until timestamptz(3),
  mode text not null,
  generation integer not null default 1,
  cursor jsonb,
  since timestamptz(3),
  synced_at timestamptz(3),
  next_at timestamptz(3) not null,
  throttled_until timestamptz(3),
  failures integer not null default 0,
  failing_at timestamptz(3),
  error text,
  run_id text,
  lease_id text,
  lease_until timestamptz(3),
  connected_by text not null,
  connected_at timestamptz(3) not null,
  constraint connectors_tokens check ((state = 'connected') <= (refresh_token is not null)),
  constraint connectors_contractor_id_connector_pk primary key (contractor_id, connector)
);
create index connectors_due on connectors (next_at) where state = 'connected';
create index connectors_company on connectors (connector, company);

create table connector_attempts (
  hash text primary key,
  contractor_id text not null
    constraint connector_attempts_contractor_id_contractors_id_fk references contractors (id),
  connector text not null,
  person_id text not null,
  expires_at timestamptz(3) not null
);
create index connector_attempts_expires on connector_attempts (expires_at);

create table connector_links (
  contractor_id text
    constraint connector_links_contractor_id_contractors_id_fk references contractors (id),
  connector text,
  company text,
  entity text,
  external_id text,
  part text,
  resource text not null,
  reference text not null,
  owner text,
  generation integer not null,
  constraint connector_links_contractor_id_connector_company_entity_external primary key (contractor_id, connector, company, entity, external_id, part)
);
create unique index connector_links_reference on connector_links (contractor_id, resource, reference);

create table connector_runs (
  id text primary key,
  contractor_id text not null
    constraint connector_runs_contractor_id_contractors_id_fk references contractors (id),
  connector text not null,
  kind text not null,
  state text not null,
  read integer not null default 0,
  counts jsonb not null,
  faults jsonb not null,
  fault_count integer not null default 0,
  error text,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint connector_runs_state check ((state = 'running') = (ended_at is null))
);
create index connector_runs_contractor on connector_runs (contractor_id, id);
create index connector_runs_created on connector_runs (created_at);

-- Behind the second fence, and unknown to the planner (docs/decisions/032-second-fence.md, 033-query-plans.md).
select hide_from_planner(t, 'contractor_id') from unnest(
  '{loads, load_parts, load_journals, load_images, load_mappings, data_freshness, scheduled_sources, load_drafts,
    load_draft_files, load_draft_parts, source_runs, source_mails, connectors, connector_attempts, connector_links,
    connector_runs}'::regclass[]) t;
select fence_table(t) from unnest(
  '{loads, load_uploads, load_parts, load_journals, load_images, load_mappings, data_freshness, scheduled_sources, load_drafts,
    load_draft_files, load_draft_parts, source_runs, source_mails, connectors, connector_attempts, connector_links,
    connector_runs}'::regclass[]) t;
