-- What the database itself promises, whoever writes.

alter table projects add constraint projects_status
  check (status in ('lead', 'estimate', 'scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled'));--> statement-breakpoint
alter table analytics_invoice_records add constraint invoices_status
  check (status in ('paid', 'overdue', 'current', 'future'));--> statement-breakpoint
alter table analytics_revenue_transactions add constraint transactions_type
  check (type in ('payment_received', 'refund', 'adjustment'));--> statement-breakpoint
alter table analytics_revenue_transactions add constraint transactions_method
  check (method in ('card', 'ach', 'check', 'cash', 'wire', 'other'));--> statement-breakpoint

-- updated_at moves forward on every real change and only then; ids and creation moments never change.
-- "+ 1 ms" keeps it moving forward when the machine's clock is set back.
create function touch() returns trigger language plpgsql as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new is distinct from old then
    new.updated_at := greatest(date_trunc('milliseconds', clock_timestamp()), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end $$;--> statement-breakpoint

-- The status an invoice has at a moment. A due date counts as a whole UTC day: it has passed when that day is over.
create function invoice_status_at(settled boolean, invoice_date timestamptz, due_date timestamptz, at timestamptz)
returns text language sql immutable as $$
  select case
    when settled then 'paid'
    when at >= date_trunc('day', due_date at time zone 'UTC') at time zone 'UTC' + interval '1 day' then 'overdue'
    when invoice_date > at then 'future'
    else 'current'
  end
$$;--> statement-breakpoint

-- Keeps status, and the next moment at which the clock alone will change it (null when it never will).
create function keep_invoice_status() returns trigger language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
begin
  new.status := invoice_status_at(
    new.settled_at is not null or new.paid_amount >= new.amount, new.invoice_date, new.due_date, at);
  new.turns_at := case new.status
    when 'future' then least(new.invoice_date, date_trunc('day', new.due_date at time zone 'UTC') at time zone 'UTC' + interval '1 day')
    when 'current' then date_trunc('day', new.due_date at time zone 'UTC') at time zone 'UTC' + interval '1 day'
  end;
  return new;
end $$;--> statement-breakpoint

-- A home-owner is a customer while a project is theirs; invoices and payments follow a project to its new owner.
create function keep_project_owner() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    update users set owns_project = true where id = new.customer_id and not owns_project;
  end if;
  if tg_op = 'UPDATE' then
    update analytics_invoice_records set customer_id = new.customer_id where project_id = new.id;
    update analytics_revenue_transactions set customer_id = new.customer_id where project_id = new.id;
  end if;
  if tg_op <> 'INSERT' then
    update users set owns_project = false
      where id = old.customer_id and not exists (select 1 from projects where customer_id = old.customer_id);
  end if;
  return null;
end $$;--> statement-breakpoint

-- What has been paid towards each invoice touched by a statement. The rows are locked first, so that the sum that follows
-- is read after every payment that was being written beside this one.
create function sum_invoice_payments(invoices text[]) returns void language plpgsql as $$
begin
  perform 1 from analytics_invoice_records where id = any(invoices) order by id for no key update;
  update analytics_invoice_records i set paid_amount = s.paid
    from (
      select r.id, coalesce(sum(case t.type when 'payment_received' then t.amount when 'refund' then -t.amount else 0 end), 0) as paid
      from analytics_invoice_records r left join analytics_revenue_transactions t on t.invoice_id = r.id
      where r.id = any(invoices) group by r.id
    ) s
    where i.id = s.id and i.paid_amount <> s.paid;
end $$;--> statement-breakpoint
create function payments_inserted() returns trigger language plpgsql as $$
begin
  perform sum_invoice_payments(array(select distinct invoice_id from new_rows where invoice_id is not null));
  return null;
end $$;--> statement-breakpoint
create function payments_updated() returns trigger language plpgsql as $$
begin
  perform sum_invoice_payments(array(
    select invoice_id from new_rows where invoice_id is not null
    union select invoice_id from old_rows where invoice_id is not null));
  return null;
end $$;--> statement-breakpoint
create function payments_deleted() returns trigger language plpgsql as $$
begin
  perform sum_invoice_payments(array(select distinct invoice_id from old_rows where invoice_id is not null));
  return null;
end $$;--> statement-breakpoint

create trigger keep_status before insert or update on analytics_invoice_records
  for each row execute function keep_invoice_status();--> statement-breakpoint
create trigger touch before update on contractors for each row execute function touch();--> statement-breakpoint
create trigger touch before update on users for each row execute function touch();--> statement-breakpoint
create trigger touch before update on projects for each row execute function touch();--> statement-breakpoint
-- Triggers of one event fire by name: `touch` comes after `keep_status` and so sees the status that will be stored.
create trigger touch before update on analytics_invoice_records for each row execute function touch();--> statement-breakpoint
create trigger touch before update on analytics_revenue_transactions for each row execute function touch();--> statement-breakpoint
create trigger keep_owner_of_new after insert or delete on projects
  for each row execute function keep_project_owner();--> statement-breakpoint
create trigger keep_owner_of_changed after update on projects
  for each row when (old.customer_id is distinct from new.customer_id) execute function keep_project_owner();--> statement-breakpoint
create trigger payments_inserted after insert on analytics_revenue_transactions
  referencing new table as new_rows for each statement execute function payments_inserted();--> statement-breakpoint
create trigger payments_updated after update on analytics_revenue_transactions
  referencing old table as old_rows new table as new_rows for each statement execute function payments_updated();--> statement-breakpoint
create trigger payments_deleted after delete on analytics_revenue_transactions
  referencing old table as old_rows for each statement execute function payments_deleted();
