-- Notes the status that a record had, when it gets another; the trigger's argument is the record's resource.
create or replace function note_status_change() returns trigger language plpgsql as $$
begin
  insert into status_changes (contractor_id, resource, record_id, was, became, at)
    values (new.contractor_id, tg_argv[0], new.id, old.status, new.status, date_trunc('milliseconds', clock_timestamp()));
  return null;
end $$;
