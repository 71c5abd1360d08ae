-- Sums the invoices that changed transactions name now, and those that they named before. What was allocated of a payment that is another one
-- now, or of an invoice that is gone, is taken back; taking a load back puts all of it back itself.
create or replace function payments_updated() returns trigger language plpgsql as $$
begin
  if current_setting('plumbline.taking_back', true) is distinct from 'on' then
    delete from analytics_revenue_transactions t using (
      select o.contractor_id, case when o.type = 'allocation' then o.reference else o.source_reference end as payment
      from old_rows o join new_rows n on n.id = o.id
      where o.type in ('payment_received', 'reversal')
          and (o.amount, o.currency, o.invoice_id, o.source_reference) is distinct from (n.amount, n.currency, n.invoice_id, n.source_reference)
        or o.type = 'allocation' and o.invoice_id is not null and n.invoice_id is null) p
      where t.contractor_id = p.contractor_id and t.type = 'allocation' and t.reference = p.payment;
  end if;
  perform sum_invoice_payments(array(
    select invoice_id from new_rows where invoice_id is not null
    union select invoice_id from old_rows where invoice_id is not null));
  return null;
end $$;
