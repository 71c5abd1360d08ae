-- For a version that serves meanwhile and sends leads as JSON.
create or replace function receive_fenced_leads(for_contractor text, batch jsonb)
returns table (project_id text, job_number int, created boolean)
language sql as $$
  select * from receive_lead_rows(for_contractor, array(select r from jsonb_populate_recordset(null::lead_row, batch) r))
$$;
