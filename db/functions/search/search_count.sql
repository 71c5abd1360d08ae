-- How often a word counts in a chunk: three times in the title, twice in a heading, once in the text. Not strict: array_positions is not either, and
-- Postgres would call this for each word instead of putting its expression in the statement.
create or replace function search_count(weights text[]) returns smallint language sql immutable parallel safe as $$
  select (cardinality(weights) + 2 * cardinality(array_positions(weights, 'A')) + cardinality(array_positions(weights, 'B')))::smallint
$$;
