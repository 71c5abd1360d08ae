-- A contractor in another time zone has other days: their open invoices and estimates are looked at again, and so are transactions that are
-- dated ahead or near their invoice's date. Two plain days keep their order in any zone.
create or replace function keep_days() returns trigger language plpgsql as $$
begin
  perform set_config('clock.zone', '', true);
  update analytics_invoice_records set status = status where contractor_id = new.id and status in ('overdue', 'current', 'future');
  update analytics_revenue_transactions t set currency = t.currency from analytics_invoice_records i
    where t.contractor_id = new.id and i.id = t.invoice_id and (t.date > now() - interval '2 days' or i.invoice_date > now() - interval '2 days'
      or i.invoice_date between t.date - interval '2 days' and t.date + interval '2 days'
        and ((t.date at time zone 'UTC')::time <> '00:00' or (i.invoice_date at time zone 'UTC')::time <> '00:00'));
  update estimates set status = status where contractor_id = new.id and status in ('sent', 'expired');
  return null;
end $$;
