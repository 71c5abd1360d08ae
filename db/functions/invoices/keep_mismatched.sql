-- Marks a transaction whose invoice is in another currency: it settles nothing, and its money is unapplied. One that is older than its invoice
-- waits for the invoice's date. Without sequential scans, because a plan that was made while the table was short is kept.
create or replace function keep_mismatched() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  invoice record;
  zone text;
begin
  new.mismatched := false;
  new.waits_until := null;
  if new.invoice_id is null then return new; end if;
  select currency, invoice_date into invoice from analytics_invoice_records where id = new.invoice_id;
  new.mismatched := new.currency is distinct from invoice.currency;
  -- Two days that differ are less than two days apart in any zone, or in the order of their moments.
  if not new.mismatched and invoice.invoice_date > new.date - interval '2 days' then
    zone := contractor_zone(new.contractor_id);
    if day_in(invoice.invoice_date, zone) > day_in(new.date, zone) then new.waits_until := invoice.invoice_date; end if;
  end if;
  return new;
end $$;
