-- How often a word counts in a chunk: three times in the title, twice in a heading, once in the text.
create or replace function search_count(weights text[]) returns smallint language sql immutable strict parallel safe as $$
  select (cardinality(weights) + 2 * cardinality(array_positions(weights, 'A')) + cardinality(array_positions(weights, 'B')))::smallint
$$;
