-- What an invoice still asks for, defined once (docs/accounting.md): status, aging, project financials and cash flow all read `open_amount`,
-- and the report of a past day gives the same function the sums of that day.
ALTER TABLE "analytics_invoice_records" ADD COLUMN "refunded_amount" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "reversed_amount" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "credited_amount" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "written_off_amount" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "retainage_amount" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "stated_balance" numeric(14, 2);--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "stated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD COLUMN "open_amount" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_revenue_transactions" ADD COLUMN "mismatched" boolean DEFAULT false NOT NULL;--> statement-breakpoint
alter table analytics_revenue_transactions drop constraint transactions_type;--> statement-breakpoint
alter table analytics_revenue_transactions add constraint transactions_type
  check (type in ('payment_received', 'refund', 'adjustment', 'reversal', 'write_off'));--> statement-breakpoint
DROP INDEX "adjustments_by_project";--> statement-breakpoint
CREATE INDEX "corrections_by_project" ON "analytics_revenue_transactions" USING btree ("contractor_id","project_id","date") WHERE type in ('adjustment', 'reversal', 'write_off');--> statement-breakpoint
CREATE INDEX "transactions_unapplied" ON "analytics_revenue_transactions" USING btree ("contractor_id","customer_id","currency","type","date","amount") WHERE invoice_id is null or mismatched;--> statement-breakpoint
CREATE INDEX "invoices_in_credit" ON "analytics_invoice_records" USING btree ("contractor_id","customer_id") WHERE open_amount < 0;--> statement-breakpoint

-- The contractor's day of a moment. A file's plain day is stored as midnight UTC and stays that day everywhere.
create function day_in(at timestamptz, zone text) returns date language sql immutable parallel safe as $$
  select case when (at at time zone 'UTC')::time = '00:00' then (at at time zone 'UTC')::date else (at at time zone zone)::date end
$$;--> statement-breakpoint
-- When a contractor's day begins.
create function day_begins(day date, zone text) returns timestamptz language sql immutable parallel safe as $$
  select day::timestamp at time zone zone
$$;--> statement-breakpoint

-- The open amount of an invoice: net (amount - credited - written_off) less `paid`, which is payments less refunds and reversals. Below zero
-- is a credit of the customer's. A refund of a part of what was paid on a covered invoice is a concession and reopens nothing; one of all of
-- it does. Where the file states a balance, what stays paid is the most of what the records leave and of what the balance implies less what
-- came back. A balance above or below zero holds already what came back of a payment that is not in the records; a zero one may be older
-- (a paid date). On a credit (net < 0) refunds are part of what the stated balance says is used.
-- One expression, so that the planner puts it in place of the call.
create function invoice_open_amount(amount numeric, paid numeric, refunded numeric, reversed numeric, credited numeric, written_off numeric,
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
$$;--> statement-breakpoint

-- The status an invoice has at a moment, by the contractor's days (`invoice_status_at` stays for a version that serves meanwhile): its due day has passed when it is over. Retainage is not due.
create function invoice_status_on(open numeric, retainage numeric, invoice_date timestamptz, due_date timestamptz, zone text, at timestamptz)
returns text language sql immutable parallel safe as $$
  select case
    when open <= 0 then 'paid'
    when open > retainage and at >= day_begins(day_in(due_date, zone) + 1, zone) then 'overdue'
    when at < day_begins(day_in(invoice_date, zone), zone) then 'future'
    else 'current'
  end
$$;--> statement-breakpoint

-- A contractor's time zone, looked up once in a transaction.
create function contractor_zone(of_contractor text) returns text language plpgsql as $$
declare
  known text := current_setting('clock.zone', true);
  found text;
begin
  if starts_with(known, of_contractor || ' ') then return substr(known, length(of_contractor) + 2); end if;
  select timezone into found from contractors where id = of_contractor;
  found := coalesce(found, 'UTC');
  perform set_config('clock.zone', of_contractor || ' ' || found, true);
  return found;
end $$;--> statement-breakpoint

-- What transactions in the invoice's currency have done to it; those in another settle nothing.
create function invoice_sums(of_invoice text, in_currency text, out paid numeric, out refunded numeric, out reversed numeric,
  out credited numeric, out written_off numeric) language sql stable set enable_seqscan = off as $$
  select
    coalesce(sum(case type when 'payment_received' then amount when 'refund' then -amount when 'reversal' then -amount end), 0),
    coalesce(sum(amount) filter (where type = 'refund'), 0),
    coalesce(sum(amount) filter (where type = 'reversal'), 0),
    coalesce(sum(amount) filter (where type = 'adjustment'), 0),
    coalesce(sum(amount) filter (where type = 'write_off'), 0)
  from analytics_revenue_transactions where invoice_id = of_invoice and currency = in_currency
$$;--> statement-breakpoint

-- Marks a transaction whose invoice is in another currency: it settles nothing, and its money is unapplied.
-- Without sequential scans, because a plan that was made while the table was short is kept.
create function keep_mismatched() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  new.mismatched := new.invoice_id is not null
    and new.currency is distinct from (select currency from analytics_invoice_records where id = new.invoice_id);
  return new;
end $$;--> statement-breakpoint
create trigger keep_mismatched before insert or update on analytics_revenue_transactions
  for each row when (new.invoice_id is not null or new.mismatched) execute function keep_mismatched();--> statement-breakpoint
-- An invoice that changes its currency has other transactions; the trigger above marks them.
create function keep_currency() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update analytics_revenue_transactions set currency = currency where invoice_id = new.id;
  return null;
end $$;--> statement-breakpoint
create trigger keep_currency after update on analytics_invoice_records
  for each row when (old.currency <> new.currency) execute function keep_currency();--> statement-breakpoint

-- Keeps what is open, the status, and the next moment at which the clock alone will change it (null when it never will).
create or replace function keep_invoice_status() returns trigger language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
  zone text := contractor_zone(new.contractor_id);
  sums record;
  begins timestamptz;
  passes timestamptz;
begin
  if tg_op = 'INSERT' then
    new.stated_at := case when new.stated_balance is not null then date_trunc('milliseconds', at) end;
  else
    if new.stated_balance is distinct from old.stated_balance then
      new.stated_at := case when new.stated_balance is not null then date_trunc('milliseconds', at) end;
    end if;
    if new.currency <> old.currency then
      sums := invoice_sums(new.id, new.currency);
      new.paid_amount := sums.paid;
      new.refunded_amount := sums.refunded;
      new.reversed_amount := sums.reversed;
      new.credited_amount := sums.credited;
      new.written_off_amount := sums.written_off;
    end if;
  end if;
  new.open_amount := invoice_open_amount(new.amount, new.paid_amount, new.refunded_amount, new.reversed_amount, new.credited_amount,
    new.written_off_amount, coalesce(new.stated_balance, case when new.settled_at is not null then 0 end));
  new.status := invoice_status_on(new.open_amount, new.retainage_amount, new.invoice_date, new.due_date, zone, at);
  begins := day_begins(day_in(new.invoice_date, zone), zone);
  passes := case when new.open_amount > new.retainage_amount then day_begins(day_in(new.due_date, zone) + 1, zone) end;
  new.turns_at := case new.status when 'future' then least(begins, passes) when 'current' then passes end;
  return new;
end $$;--> statement-breakpoint

-- As before; invoice by invoice through the index, in the currency that the invoice has once it is locked.
create or replace function sum_invoice_payments(invoices text[]) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  ids text[];
  currencies text[];
begin
  select array_agg(l.id), array_agg(l.currency) into ids, currencies
    from (select id, currency from analytics_invoice_records where id = any(invoices) order by id for no key update) l;
  update analytics_invoice_records i set paid_amount = s.paid, refunded_amount = s.refunded, reversed_amount = s.reversed,
      credited_amount = s.credited, written_off_amount = s.written_off
    from (select r.id, sums.* from unnest(ids, currencies) r(id, currency) cross join lateral invoice_sums(r.id, r.currency) sums offset 0) s
    where i.id = s.id and (i.paid_amount, i.refunded_amount, i.reversed_amount, i.credited_amount, i.written_off_amount)
      is distinct from (s.paid, s.refunded, s.reversed, s.credited, s.written_off);
end $$;--> statement-breakpoint

-- The function above leaves triggers that it sets off no join but nested loops, which compares every row of a statement with every other.
alter function queue_updated_invoices() set enable_hashjoin = on;--> statement-breakpoint

-- As before, by the contractor's days.
create function estimate_status_on(stated text, valid_until timestamptz, zone text, at timestamptz) returns text language sql immutable as $$
  select case when stated = 'sent' and at >= day_begins(day_in(valid_until, zone) + 1, zone) then 'expired' else stated end
$$;--> statement-breakpoint
create or replace function keep_estimate_status() returns trigger language plpgsql as $$
declare
  zone text := contractor_zone(new.contractor_id);
begin
  new.status := estimate_status_on(new.stated_status, new.valid_until, zone, clock_timestamp());
  new.turns_at := case new.status when 'sent' then day_begins(day_in(new.valid_until, zone) + 1, zone) end;
  return new;
end $$;--> statement-breakpoint

-- Another time zone has other days.
create function keep_days() returns trigger language plpgsql as $$
begin
  perform set_config('clock.zone', '', true);
  update analytics_invoice_records set status = status where contractor_id = new.id and status in ('overdue', 'current', 'future');
  update estimates set status = status where contractor_id = new.id and status in ('sent', 'expired');
  return null;
end $$;--> statement-breakpoint
create trigger keep_days after update on contractors
  for each row when (old.timezone is distinct from new.timezone) execute function keep_days();--> statement-breakpoint

-- As before, with the transactions that are new.
create or replace function keep_project_owner() returns trigger language plpgsql
set enable_seqscan = off as $$
declare
  kind text;
begin
  if tg_op <> 'DELETE' then
    update users set owns_project = true where id = new.customer_id and not owns_project;
  end if;
  if tg_op = 'UPDATE' then
    execute 'update analytics_invoice_records set customer_id = $1 where contractor_id = $2 and project_id = $3'
      using new.customer_id, new.contractor_id, new.id;
    execute 'update estimates set customer_id = $1 where contractor_id = $2 and project_id = $3'
      using new.customer_id, new.contractor_id, new.id;
    foreach kind in array array['= ''payment_received''', '= ''refund''', 'in (''adjustment'', ''reversal'', ''write_off'')'] loop
      execute format('update analytics_revenue_transactions set customer_id = $1
        where contractor_id = $2 and project_id = $3 and type %s', kind) using new.customer_id, new.contractor_id, new.id;
    end loop;
  end if;
  if tg_op <> 'INSERT' then
    update users set owns_project = false
      where id = old.customer_id and not exists (select 1 from projects where customer_id = old.customer_id);
  end if;
  return null;
end $$;--> statement-breakpoint

-- Rows that are there. Nearly all invoices are paid, and zero, the default, is right for them. First the unpaid and the overpaid ones get
-- their open amount, without triggers: nothing that a client reads changes. One statement, as fast as there are open invoices.
alter table analytics_invoice_records disable trigger user;--> statement-breakpoint
update analytics_invoice_records i
  set open_amount = invoice_open_amount(i.amount, i.paid_amount, 0, 0, 0, 0, case when i.settled_at is not null then 0 end),
    turns_at = case i.status
      when 'future' then least(day_begins(day_in(i.invoice_date, c.timezone), c.timezone), day_begins(day_in(i.due_date, c.timezone) + 1, c.timezone))
      when 'current' then day_begins(day_in(i.due_date, c.timezone) + 1, c.timezone) end
  from contractors c
  where c.id = i.contractor_id and (i.status <> 'paid' or i.paid_amount > i.amount);--> statement-breakpoint
alter table analytics_invoice_records enable trigger user;--> statement-breakpoint
alter table analytics_revenue_transactions disable trigger user;--> statement-breakpoint
update analytics_revenue_transactions t set mismatched = true
  from analytics_invoice_records i where i.id = t.invoice_id and i.currency <> t.currency;--> statement-breakpoint
alter table analytics_revenue_transactions enable trigger user;--> statement-breakpoint
-- Then those that a refund, an adjustment or another currency names, with triggers: a client must see where the status changes.
select sum_invoice_payments(array(
  select distinct t.invoice_id from analytics_revenue_transactions t join analytics_invoice_records i on i.id = t.invoice_id
  where t.type <> 'payment_received' or t.mismatched));--> statement-breakpoint
-- And what was overdue for UTC on a day that is not over for the contractor.
update analytics_invoice_records set status = status
  where status = 'overdue' and due_date > clock_timestamp() - interval '3 days';
