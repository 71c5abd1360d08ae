-- What has been paid by today towards each invoice touched by a statement. The rows are locked first, so that the sum that follows is read after
-- every payment that was being written beside this one; invoice by invoice through the index, in the currency that the invoice has once it is
-- locked.
create or replace function sum_invoice_payments(invoices text[]) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  ids text[];
  currencies text[];
  zones text[];
begin
  select array_agg(l.id), array_agg(l.currency), array_agg(contractor_zone(l.contractor_id)) into ids, currencies, zones
    from (select id, currency, contractor_id from analytics_invoice_records where id = any(invoices) order by id for no key update) l;
  update analytics_invoice_records i set paid_amount = s.paid, refunded_amount = s.refunded, reversed_amount = s.reversed,
      credited_amount = s.credited, written_off_amount = s.written_off, pending_amount = s.pending, pending_at = s.pending_at
    from (select r.id, sums.* from unnest(ids, currencies, zones) r(id, currency, zone)
      cross join lateral invoice_sums_on(r.id, r.currency, r.zone, (clock_timestamp() at time zone r.zone)::date) sums offset 0) s
    where i.id = s.id and (i.paid_amount, i.refunded_amount, i.reversed_amount, i.credited_amount, i.written_off_amount, i.pending_amount, i.pending_at)
      is distinct from (s.paid, s.refunded, s.reversed, s.credited, s.written_off, s.pending, s.pending_at);
end $$;
