-- `receive_leads` behind the fence, in the same one statement.
create or replace function receive_lead_rows(for_contractor text, batch lead_row[])
returns table (project_id text, job_number int, created boolean)
language plpgsql as $$
declare
  before text := current_setting('role');
begin
  perform enter_fence(for_contractor);
  return query select * from receive_leads(for_contractor, batch);
  perform set_config('role', before, true);
end $$;
