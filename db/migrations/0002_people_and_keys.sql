-- Who may do what: people, keys, connections of agents, single sign-on, and what they did.

create table people (
  id text primary key,
  name text not null,
  email text not null constraint people_email_unique unique,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table person_accounts (
  id text primary key,
  person_id text not null
    constraint person_accounts_person_id_people_id_fk references people (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index person_accounts_person on person_accounts (person_id);

create table person_passkeys (
  id text primary key,
  person_id text not null
    constraint person_passkeys_person_id_people_id_fk references people (id) on delete cascade,
  name text,
  credential_id text not null constraint person_passkeys_credential_id_unique unique,
  public_key text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz(3) default now(),
  last_used_at timestamptz(3)
);
create index person_passkeys_person on person_passkeys (person_id);

create table person_sessions (
  id text primary key,
  token text not null constraint person_sessions_token_unique unique,
  person_id text not null
    constraint person_sessions_person_id_people_id_fk references people (id) on delete cascade,
  ip_address text,
  user_agent text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  only_contractor text
    constraint person_sessions_only_contractor_contractors_id_fk references contractors (id),
  proven_at timestamptz(3),
  proven_by text
);
create index person_sessions_person on person_sessions (person_id);

create table person_two_factors (
  id text primary key,
  person_id text not null
    constraint person_two_factors_person_id_people_id_fk references people (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz(3)
);
create index person_two_factors_person on person_two_factors (person_id);

create table person_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index person_verifications_identifier on person_verifications (identifier);

create table members (
  contractor_id text
    constraint members_contractor_id_contractors_id_fk references contractors (id),
  person_id text
    constraint members_person_id_people_id_fk references people (id) on delete cascade,
  role text not null,
  created_at timestamptz(3) not null default now(),
  constraint members_person_id_contractor_id_pk primary key (person_id, contractor_id)
);
create index members_contractor on members (contractor_id);

create table invitations (
  id text primary key,
  contractor_id text not null
    constraint invitations_contractor_id_contractors_id_fk references contractors (id),
  email text not null,
  role text not null,
  token_hash text not null constraint invitations_token_hash_unique unique,
  invited_by text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  mail_token_hash text constraint invitations_mail_token_hash_unique unique,
  message_id text
);
create index invitations_contractor on invitations (contractor_id, created_at);

create table api_keys (
  id text primary key,
  contractor_id text not null
    constraint api_keys_contractor_id_contractors_id_fk references contractors (id),
  name text not null,
  preset text,
  scopes text[] not null,
  mode text not null,
  secret_hash text not null constraint api_keys_secret_hash_unique unique,
  last4 text not null,
  rotated_from text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  lineage text,
  allowed_addresses text[],
  per_minute integer,
  issued_to text,
  instead_of_address boolean not null default false,
  lead_source text
);
create index api_keys_contractor on api_keys (contractor_id, created_at);
create index api_keys_lineage on api_keys (lineage);

create table key_addresses (
  contractor_id text,
  key_id text,
  address text,
  requests bigint not null,
  used_at timestamptz(3),
  refused_at timestamptz(3),
  constraint key_addresses_pk primary key (contractor_id, key_id, address)
);

create table audit_events (
  id text primary key,
  at timestamptz(3) not null,
  contractor_id text,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  event text not null,
  subject text,
  detail jsonb not null,
  address text
);
create index audit_events_contractor on audit_events (contractor_id, id);
create index audit_events_actor on audit_events (actor_id, id);
create index audit_events_refused on audit_events (at) where event = 'sign_in_refused';
create index audit_events_key on audit_events (subject) where event = 'key_created';

create table oauth_keys (
  id text primary key,
  public_key text not null,
  private_key text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  alg text,
  crv text
);

create table oauth_clients (
  id text primary key,
  client_id text not null constraint oauth_clients_client_id_unique unique,
  client_secret text,
  client_discovery_id text,
  disabled boolean default false,
  skip_consent boolean,
  enable_end_session boolean,
  subject_type text,
  scopes text[],
  client_credentials_scopes text[],
  person_id text
    constraint oauth_clients_person_id_people_id_fk references people (id) on delete cascade,
  created_at timestamptz(3) default now(),
  updated_at timestamptz(3) default now(),
  name text,
  uri text,
  icon text,
  contacts text[],
  tos text,
  policy text,
  software_id text,
  software_version text,
  software_statement text,
  redirect_uris text[] not null,
  post_logout_redirect_uris text[],
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method text,
  application_type text,
  jwks text,
  jwks_uri text,
  grant_types text[],
  response_types text[],
  require_pkce boolean,
  dpop_bound_access_tokens boolean default false,
  reference_id text,
  metadata jsonb
);
create index oauth_clients_person on oauth_clients (person_id);
create index oauth_clients_created on oauth_clients (created_at);

create table oauth_resources (
  id text primary key,
  identifier text not null constraint oauth_resources_identifier_unique unique,
  name text not null,
  access_token_ttl integer,
  refresh_token_ttl integer,
  signing_algorithm text,
  signing_key_id text,
  allowed_scopes text[],
  custom_claims jsonb,
  dpop_bound_access_tokens_required boolean default false,
  disabled boolean default false,
  created_at timestamptz(3) default now(),
  updated_at timestamptz(3) default now(),
  policy_version integer default 1,
  metadata jsonb
);

create table oauth_client_resources (
  id text primary key,
  client_id text not null
    constraint oauth_client_resources_client_id_oauth_clients_client_id_fk references oauth_clients (client_id) on delete cascade,
  resource_id text not null
    constraint oauth_client_resources_resource_id_oauth_resources_identifier_f references oauth_resources (identifier) on delete cascade,
  metadata jsonb,
  created_at timestamptz(3)
);
create unique index oauth_client_resources_once on oauth_client_resources (client_id, resource_id);

create table oauth_client_assertions (
  id text primary key,
  expires_at timestamptz(3) not null
);

create table oauth_grants (
  id text primary key,
  contractor_id text not null default ''
    constraint oauth_grants_contractor_id_contractors_id_fk references contractors (id),
  client_id text not null
    constraint oauth_grants_client_id_oauth_clients_client_id_fk references oauth_clients (client_id) on delete cascade,
  person_id text not null
    constraint oauth_grants_person_id_people_id_fk references people (id) on delete cascade,
  reference_id text not null,
  resources text[],
  requested_user_info_claims text[],
  scopes text[] not null,
  client_name text not null default '',
  destination text not null default '',
  code_hash text constraint oauth_grants_code_hash_unique unique,
  connected_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index oauth_grants_contractor on oauth_grants (contractor_id, created_at);
create index oauth_grants_person on oauth_grants (person_id);
create index oauth_grants_client on oauth_grants (client_id);

create table oauth_refresh_tokens (
  id text primary key,
  token text not null constraint oauth_refresh_tokens_token_unique unique,
  client_id text not null
    constraint oauth_refresh_tokens_client_id_oauth_clients_client_id_fk references oauth_clients (client_id) on delete cascade,
  session_id text
    constraint oauth_refresh_tokens_session_id_person_sessions_id_fk references person_sessions (id) on delete set null,
  person_id text not null
    constraint oauth_refresh_tokens_person_id_people_id_fk references people (id) on delete cascade,
  reference_id text
    constraint oauth_refresh_tokens_reference_id_oauth_grants_id_fk references oauth_grants (id) on delete cascade,
  authorization_code_id text,
  resources text[],
  requested_user_info_claims text[],
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  revoked timestamptz(3),
  rotated_at timestamptz(3),
  rotation_replay_response text,
  rotation_replay_expires_at timestamptz(3),
  auth_time timestamptz(3),
  confirmation jsonb,
  scopes text[] not null
);
create index oauth_refresh_tokens_client on oauth_refresh_tokens (client_id);
create index oauth_refresh_tokens_person on oauth_refresh_tokens (person_id);
create index oauth_refresh_tokens_session on oauth_refresh_tokens (session_id);
create index oauth_refresh_tokens_grant on oauth_refresh_tokens (reference_id);
create index oauth_refresh_tokens_code on oauth_refresh_tokens (authorization_code_id);

create table oauth_access_tokens (
  id text primary key,
  token text constraint oauth_access_tokens_token_unique unique,
  client_id text not null
    constraint oauth_access_tokens_client_id_oauth_clients_client_id_fk references oauth_clients (client_id) on delete cascade,
  session_id text
    constraint oauth_access_tokens_session_id_person_sessions_id_fk references person_sessions (id) on delete set null,
  person_id text
    constraint oauth_access_tokens_person_id_people_id_fk references people (id) on delete cascade,
  reference_id text,
  authorization_code_id text,
  resources text[],
  requested_user_info_claims text[],
  refresh_id text
    constraint oauth_access_tokens_refresh_id_oauth_refresh_tokens_id_fk references oauth_refresh_tokens (id) on delete cascade,
  expires_at timestamptz(3),
  created_at timestamptz(3),
  revoked timestamptz(3),
  confirmation jsonb,
  scopes text[] not null
);

create table connection_policies (
  contractor_id text primary key
    constraint connection_policies_contractor_id_contractors_id_fk references contractors (id),
  destinations text[] not null,
  updated_at timestamptz(3) not null default now()
);

create table sso_providers (
  contractor_id text primary key
    constraint sso_providers_contractor_id_contractors_id_fk references contractors (id),
  issuer text not null,
  client_id text not null,
  sealed_secret text not null,
  domains text[] not null,
  join_role text,
  required boolean not null default false,
  proven_at timestamptz(3),
  updated_at timestamptz(3) not null default now()
);

create table sso_identities (
  contractor_id text
    constraint sso_identities_contractor_id_contractors_id_fk references contractors (id),
  issuer text,
  subject text,
  person_id text not null
    constraint sso_identities_person_id_people_id_fk references people (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3) not null default now(),
  constraint sso_identities_pk primary key (contractor_id, issuer, subject)
);
create index sso_identities_person on sso_identities (person_id);

-- Behind the second fence, and unknown to the planner (docs/decisions/032-second-fence.md, 033-query-plans.md).
select hide_from_planner(t, 'contractor_id') from unnest(
  '{members, invitations, api_keys, key_addresses, audit_events, oauth_grants, sso_identities}'::regclass[]) t;
select fence_table(t) from unnest(
  '{members, invitations, api_keys, key_addresses, audit_events, oauth_grants, connection_policies, sso_providers, sso_identities}'::regclass[]) t;
