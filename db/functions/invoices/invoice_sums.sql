-- What all transactions in the invoice's currency have done to it, for a version that serves meanwhile; `invoice_sums_on` counts by days.
create or replace function invoice_sums(of_invoice text, in_currency text, out paid numeric, out refunded numeric, out reversed numeric,
  out credited numeric, out written_off numeric) language sql stable set enable_seqscan = off as $$
  select
    coalesce(sum(case type when 'payment_received' then amount when 'allocation' then amount when 'refund' then -amount when 'reversal' then -amount end), 0),
    coalesce(sum(amount) filter (where type = 'refund'), 0),
    coalesce(sum(amount) filter (where type = 'reversal'), 0),
    coalesce(sum(amount) filter (where type = 'adjustment'), 0),
    coalesce(sum(amount) filter (where type = 'write_off'), 0)
  from analytics_revenue_transactions where invoice_id = of_invoice and currency = in_currency
$$;
