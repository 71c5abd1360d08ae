-- Goes behind the fence until the transaction ends; where it could not be raised, the statements' own conditions are all there is.
create or replace function enter_fence(for_contractor text) returns void language plpgsql as $$
begin
  perform set_config('app.contractor_id', for_contractor, true);
  if to_regrole('plumbline_tenant') is null then return; end if;
  if not has_table_privilege('plumbline_tenant', 'people', 'select') then return; end if;
  begin
    perform set_config('role', 'plumbline_tenant', true);
  exception when insufficient_privilege or invalid_parameter_value then null;
  end;
end $$;
