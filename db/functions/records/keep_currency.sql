-- An invoice that changes its currency or date has other transactions that count; `keep_mismatched` marks them.
create or replace function keep_currency() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update analytics_revenue_transactions set currency = currency where invoice_id = new.id;
  return null;
end $$;
