-- The status an invoice has at a moment, by the contractor's days (`invoice_status_at` stays for a version that serves meanwhile): its due day has passed when it is over. Retainage is not due.
create or replace function invoice_status_on(open numeric, retainage numeric, invoice_date timestamptz, due_date timestamptz, zone text, at timestamptz)
returns text language sql immutable parallel safe as $$
  select case
    when open <= 0 then 'paid'
    when open > retainage and at >= day_begins(day_in(due_date, zone) + 1, zone) then 'overdue'
    when at < day_begins(day_in(invoice_date, zone), zone) then 'future'
    else 'current'
  end
$$;
