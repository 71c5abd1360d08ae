-- What a lead says of its person that its project's customer does not have: some of `name`, `email`, `phone` and `address`.
create or replace function lead_differences(l leads, u users) returns text[] language sql stable as $$
  select array_remove(array[
    case when find_text(l.first_name || ' ' || l.last_name) <> find_text(u.name) and not is_nobody(l.first_name || ' ' || l.last_name) then 'name' end,
    case when l.email <> coalesce(u.email, '') then 'email' end,
    case when l.phone <> coalesce(u.phone, '') then 'phone' end,
    case when find_text(l.address) <> coalesce(find_text(u.address), '') or find_text(l.city) <> coalesce(find_text(u.city), '')
      or l.state <> coalesce(u.state, '') or left(l.zip, 5) <> coalesce(left(u.zip, 5), '') then 'address' end], null)
$$;
