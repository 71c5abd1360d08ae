-- What the service notes for itself: requests, messages that go out, sessions of agents, work by the clock.

create table request_log (
  id uuid primary key,
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
);
create index request_log_walk on request_log (contractor_id, at, id);
create index request_log_errors on request_log (contractor_id, (status / 100), at, id) where status >= 400;
create index request_log_key on request_log (contractor_id, key_id, at, id) where key_id is not null;
create index request_log_endpoint on request_log (contractor_id, endpoint, at, id);

create table request_sums (
  contractor_id text,
  hour timestamptz(3),
  key_id text,
  endpoint text,
  face text,
  status_class smallint,
  requests integer not null,
  errors integer not null,
  limited integer not null,
  duration_ms double precision not null,
  constraint request_sums_pk primary key (contractor_id, hour, key_id, endpoint, face, status_class)
);

create table saved_filters (
  id text primary key,
  contractor_id text not null
    constraint saved_filters_contractor_id_contractors_id_fk references contractors (id),
  person_id text not null
    constraint saved_filters_person_id_people_id_fk references people (id) on delete cascade,
  name text not null,
  query text not null,
  created_at timestamptz(3) not null default now(),
  constraint saved_filters_name unique (contractor_id, person_id, name)
);

create table alert_settings (
  contractor_id text
    constraint alert_settings_contractor_id_contractors_id_fk references contractors (id),
  person_id text
    constraint alert_settings_person_id_people_id_fk references people (id) on delete cascade,
  kinds text[] not null,
  digest text not null,
  by_email boolean not null,
  webhook_url text,
  covered_until timestamptz(3) not null,
  due_at timestamptz(3) not null,
  constraint alert_settings_pk primary key (contractor_id, person_id)
);
create index alert_settings_due on alert_settings (due_at);

create table outgoing_messages (
  id text primary key,
  contractor_id text,
  person_id text
    constraint outgoing_messages_person_id_people_id_fk references people (id) on delete cascade,
  channel text not null,
  to_address text,
  subject text not null,
  body text not null,
  created_at timestamptz(3) not null,
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  last_error text,
  about jsonb
);
create index outgoing_messages_waiting on outgoing_messages (next_at) where sent_at is null and failed_at is null;
create index outgoing_messages_person on outgoing_messages (person_id, contractor_id, id);
create index outgoing_messages_address on outgoing_messages (to_address, created_at) where about is not null;

create table webhook_endpoints (
  id text primary key,
  contractor_id text not null
    constraint webhook_endpoints_contractor_id_contractors_id_fk references contractors (id),
  url text not null,
  description text not null,
  event_types text[] not null,
  secret text not null,
  previous_secret text,
  previous_until timestamptz(3),
  position bigint not null,
  stamp text not null,
  replay_position bigint,
  replay_until bigint,
  state text not null,
  paused_at timestamptz(3),
  paused_reason text,
  failures integer not null default 0,
  failing_since timestamptz(3),
  succeeded_at timestamptz(3),
  next_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  vouched_by text,
  constraint webhook_endpoints_state check ((state = 'active') = (paused_at is null))
);
create index webhook_endpoints_contractor on webhook_endpoints (contractor_id, id);

create table webhook_deliveries (
  seq bigint generated always as identity,
  id text primary key,
  contractor_id text not null,
  endpoint_id text not null
    constraint webhook_deliveries_endpoint_id_webhook_endpoints_id_fk references webhook_endpoints (id) on delete cascade,
  message_id text not null,
  position bigint,
  type text not null,
  resource text not null,
  record_id text not null,
  body text not null,
  is_replay boolean not null,
  state text not null,
  attempts integer not null default 0,
  tried jsonb not null default '[]',
  next_at timestamptz(3) not null,
  status integer,
  response text,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint webhook_deliveries_state check ((state = 'pending') = (ended_at is null))
);
create unique index webhook_deliveries_once on webhook_deliveries (endpoint_id, position) where not is_replay;
create index webhook_deliveries_log on webhook_deliveries (contractor_id, endpoint_id, seq);
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, resource, record_id, seq) where state = 'pending';
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where state = 'pending';
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

create table mcp_sessions (
  id text primary key,
  contractor_id text not null,
  key_lineage text not null,
  protocol_version text not null,
  client_name text,
  client_version text,
  client_capabilities jsonb,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  log_level text,
  subscriptions jsonb not null default '{}',
  stream_id text
);
create index mcp_sessions_live on mcp_sessions (key_lineage, seen_at) where ended_at is null;
create index mcp_sessions_age on mcp_sessions (created_at);

create table mcp_questions (
  id text primary key,
  session_id text not null
    constraint mcp_questions_session_id_mcp_sessions_id_fk references mcp_sessions (id) on delete cascade,
  answer jsonb,
  asked_at timestamptz(3) not null default now()
);
create index mcp_questions_session on mcp_questions (session_id);

create table service_checks (
  hour timestamptz(3),
  part text,
  checks integer not null,
  faults integer not null,
  constraint service_checks_pk primary key (hour, part)
);

create table work_in_hand (
  kind text,
  subject text,
  times integer not null,
  is_open boolean not null,
  until timestamptz(3),
  begun_at timestamptz(3) not null,
  constraint work_in_hand_kind_subject_pk primary key (kind, subject)
);

-- Behind the second fence, and unknown to the planner (docs/decisions/032-second-fence.md, 033-query-plans.md).
select hide_from_planner(t, 'contractor_id') from unnest(
  '{request_log, request_sums, webhook_endpoints, webhook_deliveries, mcp_sessions}'::regclass[]) t;
select fence_table(t) from unnest(
  '{request_log, request_sums, saved_filters, alert_settings, outgoing_messages, webhook_endpoints, webhook_deliveries,
    mcp_sessions}'::regclass[]) t;
