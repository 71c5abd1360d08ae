-- The ids of records whose email address, telephone number (from its end) or number begins with a text, the shortest first.
create or replace function find_by_beginning(kind text, owner text, beginning text, most int) returns setof text language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  since text := owner || ':' || beginning;
  until text := owner || ':' || beginning || chr(1114109);
begin
  case kind
    when 'email' then return query select id from users
      where (contractor_id || ':' || email) collate "C" >= since and (contractor_id || ':' || email) collate "C" < until
        and owns_project and email is not null order by (contractor_id || ':' || email) collate "C" limit most;
    when 'phone' then return query select id from users
      where (contractor_id || ':' || reverse(phone)) collate "C" >= since and (contractor_id || ':' || reverse(phone)) collate "C" < until
        and owns_project and phone is not null order by (contractor_id || ':' || reverse(phone)) collate "C" limit most;
    -- A lead's own, which may be another than its customer's.
    when 'lead_email' then return query select project_id from leads
      where (contractor_id || ':' || email) collate "C" >= since and (contractor_id || ':' || email) collate "C" < until
        and email is not null order by (contractor_id || ':' || email) collate "C" limit most;
    when 'lead_phone' then return query select project_id from leads
      where (contractor_id || ':' || reverse(phone)) collate "C" >= since and (contractor_id || ':' || reverse(phone)) collate "C" < until
        and phone is not null order by (contractor_id || ':' || reverse(phone)) collate "C" limit most;
    when 'invoice' then return query select id from analytics_invoice_records
      where (contractor_id || ':' || find_number(number)) collate "C" >= since and (contractor_id || ':' || find_number(number)) collate "C" < until
      order by (contractor_id || ':' || find_number(number)) collate "C" limit most;
    when 'estimate' then return query select id from estimates
      where (contractor_id || ':' || find_number(number)) collate "C" >= since and (contractor_id || ':' || find_number(number)) collate "C" < until
      order by (contractor_id || ':' || find_number(number)) collate "C" limit most;
    when 'payment' then return query select id from analytics_revenue_transactions
      where (contractor_id || ':' || find_number(reference)) collate "C" >= since and (contractor_id || ':' || find_number(reference)) collate "C" < until
        and type = 'payment_received' and reference is not null order by (contractor_id || ':' || find_number(reference)) collate "C" limit most;
  end case;
end $$;
