-- Has loads note what they change of a table, so that they can be taken back.
create or replace function journal_loads(loaded regclass) returns void language plpgsql as $$
declare
  within_load text := 'for each statement when (current_setting(''app.load'', true) <> '''') execute function note_images()';
begin
  execute format('create or replace trigger image_added after insert on %s referencing new table as new_rows %s', loaded, within_load);
  execute format('create or replace trigger image_changed after update on %s referencing old table as old_rows new table as new_rows %s',
    loaded, within_load);
  execute format('create or replace trigger image_deleted after delete on %s referencing old table as old_rows %s', loaded, within_load);
end $$;
