-- Columns that the clock may change of a row that turns at a moment: sums of transactions only once that moment is there.
create or replace function kept_by_clock(turns_at timestamptz) returns text[] language sql stable as $$
  select array['status', 'turns_at', 'updated_at'] || case when turns_at <= clock_timestamp()
    then array['open_amount', 'paid_amount', 'refunded_amount', 'reversed_amount', 'credited_amount', 'written_off_amount', 'pending_amount', 'pending_at',
      'payment_known']
    else '{}'::text[] end
$$;
