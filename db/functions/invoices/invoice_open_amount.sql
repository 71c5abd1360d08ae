-- The open amount of an invoice: net (amount - credited - written_off) less `paid`, which is payments less refunds and reversals. Below zero
-- is a credit of the customer's. A refund of a part of what was paid on a covered invoice is a concession and reopens nothing; one of all of
-- it does. Where the file states a balance, what stays paid is the most of what the records leave and of what the balance implies less what
-- came back. A balance above or below zero holds already what came back of a payment that is not in the records; a zero one may be older
-- (a paid date). On a credit (net < 0) refunds are part of what the stated balance says is used.
-- One expression, so that the planner puts it in place of the call.
create or replace function invoice_open_amount(amount numeric, paid numeric, refunded numeric, reversed numeric, credited numeric, written_off numeric,
  stated numeric) returns numeric language sql immutable parallel safe as $$
  select case
    when stated is null and refunded = 0 then amount - credited - written_off - paid
    when stated is null and paid + refunded >= amount - credited - written_off and paid > 0
      then least(amount - credited - written_off - paid, 0)
    when stated is null then amount - credited - written_off - paid
    when amount - credited - written_off < 0 then greatest(amount - credited - written_off - paid, stated)
    when greatest(paid, 0, amount - credited - written_off - stated - refunded - reversed
          - case when stated = 0 then 0 else least(paid, 0) end) > 0
        and refunded + greatest(paid, 0, amount - credited - written_off - stated - refunded - reversed
          - case when stated = 0 then 0 else least(paid, 0) end) >= amount - credited - written_off
      then least(amount - credited - written_off - greatest(paid, amount - credited - written_off - stated - refunded - reversed
          - case when stated = 0 then 0 else least(paid, 0) end), 0)
    else amount - credited - written_off - greatest(paid, 0, amount - credited - written_off - stated - refunded - reversed
          - case when stated = 0 then 0 else least(paid, 0) end)
  end
$$;
