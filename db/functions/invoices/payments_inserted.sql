-- Sums the invoices of new transactions.
create or replace function payments_inserted() returns trigger language plpgsql as $$
begin
  perform sum_invoice_payments(array(select distinct invoice_id from new_rows where invoice_id is not null));
  return null;
end $$;
