-- Keeps what the column that a fence goes by holds from the planner (`hide_from_planner`), where the table is behind the fence already.
create or replace function hide_owner_from_planner(of_table regclass, owner_column name default 'contractor_id') returns void language plpgsql as $$
begin
  execute format('drop policy one_contractor on %s', of_table);
  perform hide_from_planner(of_table, owner_column);
  perform fence_table(of_table, owner_column);
end $$;
