-- Columns that follow from others, by triggers and the clock. A file never fills them, and taking a load back computes them again.
create or replace function derived_columns(of_table text) returns text[] language sql immutable parallel safe as $$
  select array['updated_at'] || case of_table
    when 'users' then array['owns_project']
    when 'analytics_invoice_records' then array['customer_id', 'paid_amount', 'refunded_amount', 'reversed_amount', 'credited_amount',
      'written_off_amount', 'open_amount', 'stated_at', 'status', 'turns_at', 'pending_amount', 'pending_at']
    when 'analytics_revenue_transactions' then array['customer_id', 'mismatched', 'waits_until']
    when 'estimates' then array['status', 'turns_at']
    else '{}'::text[] end
$$;
