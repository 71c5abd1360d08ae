-- Sets `updated_at` on new and changed rows of a list that is read by `updatedAfter`. Triggers of one event fire by name: `touch` comes after
-- a `keep_status`, and so sees the status that will be stored.
create or replace function stamp_list(listed regclass, writer_stamps boolean) returns void language plpgsql as $$
begin
  execute format('create or replace trigger stamp before insert on %s for each row %s execute function stamp_listed()', listed,
    case when writer_stamps then 'when (current_setting(''app.stamped'', true) is distinct from ''on'')' else '' end);
  execute format('create or replace trigger touch before update on %s for each row execute function touch_listed()', listed);
end $$;
