-- Whether `role` may be taken on: what the catalogue says of it differs between versions, so it is tried.
create or replace function may_take_on_tenant() returns boolean language plpgsql as $$
declare
  before text := current_setting('role');
begin
  perform set_config('role', 'plumbline_tenant', true);
  perform set_config('role', before, true);
  return true;
exception when insufficient_privilege or invalid_parameter_value or undefined_object then
  return false;
end $$;
