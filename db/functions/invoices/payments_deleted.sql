-- Sums the invoices of deleted transactions. What was allocated of a deleted payment goes with it; a statement calls this for no rows too.
create or replace function payments_deleted() returns trigger language plpgsql as $$
begin
  if current_setting('plumbline.taking_back', true) is distinct from 'on'
      and exists (select from old_rows where type in ('payment_received', 'reversal')) then
    delete from analytics_revenue_transactions t using old_rows o
      where o.type in ('payment_received', 'reversal') and t.contractor_id = o.contractor_id and t.type = 'allocation'
        and t.reference = o.source_reference;
  end if;
  perform sum_invoice_payments(array(select distinct invoice_id from old_rows where invoice_id is not null));
  return null;
end $$;
