-- What is written with each lead and each row of a load: one index of the search queue instead of two, and owners that a statement marks itself.
alter table search_queue drop constraint search_queue_pkey;
drop index search_queue_owner;
alter table search_queue add constraint search_queue_owner_id_pk primary key (owner, id);
drop trigger add_owners on projects;
create trigger add_owners after insert on projects referencing new table as new_rows for each statement
  when (current_setting('app.stamped', true) is distinct from 'on') execute function mark_owners_of_new();
-- A lead that `receive_leads` is to store, with its delivery: db/queries/leads.ts sends them in this order.
create type lead_row as (
  n int, delivery_id text, key_id text, request_id text, source text, received_at timestamptz, content_type text, bytes int, body text,
  created_status int, mapping jsonb, replay_of text, lead_name text, lead_phone text, lead_email text, dedupe_key text, person_key text,
  body_key text, external_id text, new_project text, new_customer text, project_name text, customer_name text, first_name text,
  last_name text, email text, phone text, phone_raw text, address text, city text, state text, zip text, notes text, lead_source text,
  source_keyword text, source_category text
);
drop function if exists receive_leads(text, jsonb);
drop function if exists receive_mixed_leads(text, jsonb);
drop function if exists store_lead_customers(text, jsonb, int[]);
