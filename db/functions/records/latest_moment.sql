-- Behind which moment a contractor's list must go on: the latest it shows, and the latest at which the service is known to have run.
-- One step into the index, with a plan that is kept for each list: the settings leave the planner nothing else, whatever the statistics say and
-- however short the table is. A moment more than a day ahead is a clock that was wrong, and is not followed. Run as the owner, as the role
-- behind the fence does not read the clock.
create or replace function latest_moment(listed name, of_contractor text) returns timestamptz
language plpgsql security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  shown timestamptz;
begin
  case listed
    when 'users' then select updated_at into shown from users
      where contractor_id collate "C" = of_contractor and owns_project order by updated_at desc limit 1;
    when 'projects' then select updated_at into shown from projects
      where contractor_id collate "C" = of_contractor order by updated_at desc limit 1;
    when 'analytics_invoice_records' then select updated_at into shown from analytics_invoice_records
      where contractor_id collate "C" = of_contractor order by updated_at desc limit 1;
    when 'analytics_revenue_transactions' then select updated_at into shown from analytics_revenue_transactions
      where contractor_id collate "C" = of_contractor and type = 'payment_received' order by updated_at desc limit 1;
    when 'estimates' then select updated_at into shown from estimates
      where contractor_id collate "C" = of_contractor order by updated_at desc limit 1;
    -- Another list is planned each time, which takes a fraction of a millisecond per transaction: give it a line above when that counts.
    else execute format('select updated_at from %I where contractor_id collate "C" = $1 and %s order by updated_at desc limit 1', listed,
      shown_rows(listed::regclass)) into shown using of_contractor;
  end case;
  return coalesce(greatest(shown, (select max(seen_at) from clock where seen_at < clock_timestamp() + interval '1 day')), '-infinity');
end $$;
