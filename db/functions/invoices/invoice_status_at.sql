-- The status an invoice has at a moment. A due date counts as a whole UTC day: it has passed when that day is over.
create or replace function invoice_status_at(settled boolean, invoice_date timestamptz, due_date timestamptz, at timestamptz)
returns text language sql immutable as $$
  select case
    when settled then 'paid'
    when at >= date_trunc('day', due_date at time zone 'UTC') at time zone 'UTC' + interval '1 day' then 'overdue'
    when invoice_date > at then 'future'
    else 'current'
  end
$$;
