-- Reports whether two leads are of different people: neither their names nor their e-mail addresses nor their phone numbers agree.
create or replace function is_other_person(name text, email text, phone text, other_name text, other_email text, other_phone text)
returns boolean language sql immutable parallel safe as $$
  select (email = other_email) is not true and (phone = other_phone) is not true
    and not is_nobody(name) and not is_nobody(other_name) and not names_agree(name, other_name)
$$;
