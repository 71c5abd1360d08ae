-- Stores the customers of some leads of a batch, which are given by their numbers.
create or replace function store_lead_customers(for_contractor text, batch lead_row[], numbers int[]) returns void language plpgsql as $$
begin
  insert into users (id, contractor_id, name, email, phone, phone_raw, address, city, state, zip, owns_project)
    select r.new_customer, for_contractor, r.customer_name, r.email, r.phone, r.phone_raw, r.address, r.city, r.state, r.zip, true
    from unnest(batch) r
    where r.n = any(numbers) order by r.n;
end $$;
