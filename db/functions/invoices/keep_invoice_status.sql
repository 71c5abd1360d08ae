-- Keeps what is open today, the status, and the next moment at which the clock alone will change either (null when it never will).
create or replace function keep_invoice_status() returns trigger language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
  zone text := contractor_zone(new.contractor_id);
  sums record;
  stated numeric;
  begins timestamptz := day_begins(day_in(new.invoice_date, zone), zone);
  passes timestamptz;
  tells timestamptz := day_begins(day_in(new.settled_at, zone), zone);
begin
  if tg_op = 'INSERT' then
    new.stated_at := case when new.stated_balance is not null then date_trunc('milliseconds', at) end;
  else
    if new.stated_balance is distinct from old.stated_balance then
      new.stated_at := case when new.stated_balance is not null then date_trunc('milliseconds', at) end;
    end if;
    if new.currency <> old.currency or new.pending_at <= at then
      sums := invoice_sums_on(new.id, new.currency, zone, (at at time zone zone)::date);
      new.paid_amount := sums.paid;
      new.refunded_amount := sums.refunded;
      new.reversed_amount := sums.reversed;
      new.credited_amount := sums.credited;
      new.written_off_amount := sums.written_off;
      new.pending_amount := sums.pending;
      new.pending_at := sums.pending_at;
    end if;
  end if;
  -- A paid date ahead says nothing yet.
  if new.settled_at is null or tells <= at then
    stated := coalesce(new.stated_balance, case when new.settled_at is not null then 0 end);
    tells := null;
  end if;
  new.payment_known := new.payment_known or new.stated_balance is not null or new.settled_at is not null
    or (new.paid_amount, new.credited_amount, new.written_off_amount) <> (0, 0, 0);
  -- Nobody is told to pay what may have been paid.
  if not new.payment_known then
    new.open_amount := 0;
    new.status := 'current';
    new.turns_at := new.pending_at;
    return new;
  end if;
  new.open_amount := invoice_open_on(new.amount, new.paid_amount, new.refunded_amount, new.reversed_amount, new.credited_amount,
    new.written_off_amount, stated, new.pending_amount);
  new.status := invoice_status_on(new.open_amount, new.retainage_amount, new.invoice_date, new.due_date, zone, at);
  passes := case when new.open_amount > new.retainage_amount then day_begins(day_in(new.due_date, zone) + 1, zone) end;
  -- `least` leaves out what is null.
  new.turns_at := least(new.pending_at, tells, case when at < begins and new.open_amount <> 0 then begins end,
    case when at < passes then passes end);
  return new;
end $$;
