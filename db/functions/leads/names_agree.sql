-- Reports whether two names may be one person's: they have a word in common, such as the family name, or are the same.
create or replace function names_agree(one text, other text) returns boolean language sql immutable parallel safe as $$
  select find_text(one) = find_text(other) or exists (
    select 1 from unnest(string_to_array(find_text(one), ' ')) w
    where length(w) > 1 and w = any(string_to_array(find_text(other), ' ')))
$$;
