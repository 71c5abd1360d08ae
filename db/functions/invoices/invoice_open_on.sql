-- The open amount of an invoice on a day: `invoice_open_amount` with the sums of that day. The balance that its file states has deducted already what
-- is recorded and counts later only (`pending`), such as a post-dated check or a deposit for an invoice dated ahead.
create or replace function invoice_open_on(amount numeric, paid numeric, refunded numeric, reversed numeric, credited numeric, written_off numeric,
  stated numeric, pending numeric) returns numeric language sql immutable parallel safe as $$
  select invoice_open_amount(amount, paid, refunded, reversed, credited, written_off, stated + case when amount > 0 then greatest(pending, 0) else 0 end)
$$;
