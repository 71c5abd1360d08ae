-- What agents and people look up: prices, materials, permits, documents and the index over them.

create table material_prices (
  id text primary key,
  contractor_id text not null
    constraint material_prices_contractor_id_contractors_id_fk references contractors (id),
  source_reference text,
  item_key text not null,
  name text not null,
  trade text,
  unit text not null,
  unit_cost numeric(14, 2) not null,
  currency text not null,
  supplier text,
  region text,
  observed_on date not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  constraint material_prices_cost check (unit_cost > 0)
);
create unique index material_prices_source on material_prices (contractor_id, source_reference);
create index material_prices_by_item on material_prices (contractor_id, item_key, observed_on);

create table project_materials (
  id text primary key,
  contractor_id text not null
    constraint project_materials_contractor_id_contractors_id_fk references contractors (id),
  source_reference text,
  project_id text not null
    constraint project_materials_project_id_projects_id_fk references projects (id),
  item_key text not null,
  name text,
  unit text,
  quantity numeric(12, 3) not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index project_materials_source on project_materials (contractor_id, source_reference);
create index project_materials_by_project on project_materials (project_id);

create table permit_jurisdictions (
  id text primary key,
  name text not null,
  state text not null,
  source_name text,
  source_link text,
  licence text,
  note text,
  loaded_at timestamptz(3),
  permits integer not null default 0,
  with_applied integer not null default 0,
  with_issued integer not null default 0,
  with_both integer not null default 0,
  with_coordinates integer not null default 0,
  with_status integer not null default 0,
  with_cost integer not null default 0,
  with_contractor integer not null default 0,
  first_applied date,
  last_applied date,
  first_issued date,
  last_issued date,
  permit_types jsonb not null default '[]',
  work_classes jsonb not null default '[]'
);

create table permit_contractors (
  jurisdiction_id text
    constraint permit_contractors_jurisdiction_id_permit_jurisdictions_id_fk references permit_jurisdictions (id),
  contractor_key text,
  company_name text not null,
  constraint permit_contractors_jurisdiction_id_contractor_key_pk primary key (jurisdiction_id, contractor_key)
);
create index permit_contractors_by_key on permit_contractors (contractor_key text_pattern_ops);

create table permits (
  id text primary key,
  jurisdiction_id text not null
    constraint permits_jurisdiction_id_permit_jurisdictions_id_fk references permit_jurisdictions (id),
  permit_num text not null,
  description text,
  applied_date date,
  issued_date date,
  completed_date date,
  status_current text,
  status_current_mapped text,
  original_address1 text,
  original_city text,
  original_state text,
  original_zip text,
  permit_class text,
  permit_class_mapped text,
  permit_type text,
  permit_type_mapped text,
  permit_type_desc text,
  work_class text,
  work_class_mapped text,
  est_project_cost numeric(14, 2),
  fee numeric(14, 2),
  contractor_company_name text,
  latitude double precision,
  longitude double precision,
  link text,
  street_key text,
  house_number integer,
  contractor_key text,
  dated_on date not null generated always as (coalesce(applied_date, issued_date)) stored,
  types text[] generated always as (array_remove(array[lower(permit_type), lower(permit_type_mapped), lower(permit_type_desc)], null)) stored,
  classes text[] generated always as (array_remove(array[lower(permit_class), lower(permit_class_mapped)], null)) stored,
  works text[] generated always as (array_remove(array[lower(work_class), lower(work_class_mapped)], null)) stored,
  words tsvector generated always as (to_tsvector('english', coalesce(description, '') || ' ' || coalesce(permit_type_desc, '') || ' '
    || coalesce(permit_class, '') || ' ' || coalesce(work_class, ''))) stored,
  place point generated always as (
    case when abs(latitude) <= 85 then point(radians(longitude), ln(tan(pi() / 4 + radians(latitude) / 2))) end) stored,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index permits_number on permits (jurisdiction_id, permit_num);
create index permits_by_day on permits (dated_on, id);
create index permits_of_jurisdiction_by_day on permits (jurisdiction_id, dated_on, id);
create index permits_by_street on permits (street_key text_pattern_ops, house_number);
create index permits_by_contractor on permits (contractor_key, dated_on);
create index permits_by_type on permits using gin (types);
create index permits_by_word on permits using gin (words);
create index permits_by_place on permits using gist (place);

create table search_shelves (
  id integer primary key generated always as identity,
  owner text not null,
  type text not null,
  chunks integer not null default 0,
  words bigint not null default 0,
  constraint search_shelves_type check (type in ('document', 'guide', 'project', 'lead', 'permit', 'material'))
) with (fillfactor = 50);
create unique index search_shelves_owner on search_shelves (owner, type);

create table documents (
  number bigint primary key generated always as identity,
  id text not null constraint documents_id_unique unique,
  shelf_id integer not null
    constraint documents_shelf_id_search_shelves_id_fk references search_shelves (id),
  reference text not null,
  title text not null,
  link text,
  untrusted boolean not null,
  digest text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index documents_reference on documents (shelf_id, reference);

create table document_chunks (
  document bigint
    constraint document_chunks_document_documents_number_fk references documents (number),
  ordinal smallint,
  shelf_id integer not null,
  title text not null,
  heading text not null,
  text text not null,
  lexemes tsvector generated always as (search_lexemes(title, heading, text)) stored,
  constraint document_chunks_document_ordinal_pk primary key (document, ordinal)
);

create table chunk_vectors (
  document bigint,
  ordinal smallint,
  model text not null,
  vector real[] not null,
  constraint chunk_vectors_document_ordinal_pk primary key (document, ordinal),
  constraint chunk_vectors_document_ordinal_document_chunks_document_ordinal foreign key (document, ordinal)
    references document_chunks (document, ordinal) on delete cascade
);

create table search_terms (
  id integer primary key generated always as identity,
  shelf_id integer not null,
  term text collate "C" not null,
  chunks integer not null
) with (fillfactor = 70);
create unique index search_terms_term on search_terms (shelf_id, term);

create table search_words (
  shelf_id integer,
  word text collate "C",
  term_id integer not null,
  constraint search_words_shelf_id_word_pk primary key (shelf_id, word)
);
create unique index search_words_term on search_words (term_id, word);

create table search_postings (
  document bigint not null,
  term_id integer not null,
  ordinal smallint not null,
  impact smallint not null,
  count smallint not null,
  length integer not null
);
create unique index search_postings_best on search_postings (term_id, impact desc, document, ordinal) include (count, length);

create table chunk_terms (
  document bigint,
  ordinal smallint,
  shelf_id integer not null,
  length integer not null,
  terms integer[] not null,
  counts smallint[] not null,
  constraint chunk_terms_document_ordinal_pk primary key (document, ordinal)
);

create table search_queue (
  id bigint primary key generated always as identity,
  owner text not null,
  kind text not null,
  reference text not null
);
create index search_queue_owner on search_queue (owner, id);

-- Behind the second fence, and unknown to the planner (docs/decisions/032-second-fence.md, 033-query-plans.md).
select hide_from_planner(t, 'contractor_id') from unnest(
  '{material_prices, project_materials}'::regclass[]) t;
select fence_table(t) from unnest(
  '{material_prices, project_materials}'::regclass[]) t;
select hide_from_planner('material_prices', c) from unnest(array['item_key', 'updated_at']) c;
select hide_from_planner('search_queue', 'owner');
select fence_table('search_queue', 'owner');

create trigger touch before update on material_prices for each row execute function touch();
create trigger touch before update on project_materials for each row execute function touch();
create trigger touch before update on permits for each row execute function touch();
create trigger touch before update on documents for each row execute function touch();

-- Loads that fill them can be taken back.
select journal_loads('material_prices');
select journal_loads('project_materials');

-- The index follows its chunks.
create trigger index_chunks after insert on document_chunks
  referencing new table as new_rows for each statement execute function index_chunks();
create trigger unindex_chunks after delete on document_chunks
  referencing old table as old_rows for each statement execute function unindex_chunks();
create trigger never_changed before update on document_chunks for each row execute function refuse_chunk_change();
create trigger queue_new after insert on material_prices
  referencing new table as new_rows for each statement execute function queue_new_prices();
create trigger queue_changed after update on material_prices
  referencing old table as old_rows new table as new_rows for each statement execute function queue_changed_prices();
create trigger queue_gone after delete on material_prices
  referencing old table as old_rows for each statement execute function queue_gone_prices();
