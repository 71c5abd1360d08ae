-- A text in pieces that a search shows: whole sentences, about two thousand characters each.
create or replace function record_pieces(given text) returns table (ordinal smallint, piece text) language sql immutable as $$
  select 0::smallint, given where length(given) <= 2000
  union all
  select (row_number() over (order by part) - 1)::smallint, left(string_agg(s.sentence, ' ' order by s.n), 20000)
  from (
    select sentence, n, sum(length(sentence)) over (order by n) / 2000 as part
    from regexp_split_to_table(given, '(?<=[.!?])\s+|\n+') with ordinality as t(sentence, n)
    where length(given) > 2000
  ) s group by part
$$;
