-- Puts a table behind the second fence, where a statement sees and writes rows of one contractor only, also when it forgot to ask for them: a
-- column names the contractor. The owner of the tables, which is who signs in, stands outside; `enter_fence` goes in until the transaction ends.
-- The `|| ''` makes the policy a filter and never a way to look rows up: without statistics a planner would take an index that leads with the
-- contractor, and read all that is his. Every start grants what is missing; a version that serves meanwhile must be able to write already.
create or replace function fence_table(fenced regclass, owner_column name default 'contractor_id') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', fenced);
  if not exists (select from pg_policy where polrelid = fenced and polname = 'one_contractor') then
    execute format($policy$create policy one_contractor on %s
      using ((%2$I || '') = current_setting('app.contractor_id', true))$policy$, fenced, owner_column);
  end if;
  if to_regrole('plumbline_tenant') is not null then
    execute format('grant select, insert, update, delete on %s to plumbline_tenant', fenced);
  end if;
end $$;
