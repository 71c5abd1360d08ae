-- What transactions in the invoice's currency have done to it by the end of a contractor's day; those in another settle nothing. One that is dated
-- ahead counts from its day, one that is older than the invoice from the invoice's. `pending` is what the rest will take off, `pending_at` when the
-- next of them begins to count.
create or replace function invoice_sums_on(of_invoice text, in_currency text, zone text, today date, out paid numeric, out refunded numeric,
  out reversed numeric, out credited numeric, out written_off numeric, out pending numeric, out pending_at timestamptz)
language sql stable set enable_seqscan = off as $$
  select
    coalesce(sum(case type when 'payment_received' then amount when 'allocation' then amount when 'refund' then -amount when 'reversal' then -amount end)
      filter (where counts <= today), 0),
    coalesce(sum(amount) filter (where type = 'refund' and counts <= today), 0),
    coalesce(sum(amount) filter (where type = 'reversal' and counts <= today), 0),
    coalesce(sum(amount) filter (where type = 'adjustment' and counts <= today), 0),
    coalesce(sum(amount) filter (where type = 'write_off' and counts <= today), 0),
    coalesce(sum(case when type in ('refund', 'reversal') then -amount else amount end) filter (where counts > today), 0),
    day_begins(min(counts) filter (where counts > today), zone)
  from (select type, amount, day_in(coalesce(waits_until, date), zone) as counts
    from analytics_revenue_transactions where invoice_id = of_invoice and currency = in_currency) t
$$;
