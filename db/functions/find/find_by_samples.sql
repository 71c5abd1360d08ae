-- Ids that match the first of several queries; of the next one too where those are too few, and so on. A query has `samples`, itself in each sample
-- from the smallest on; `whole`; and if its last word is just a beginning, `rest`, the words before it, `open`, the beginning, and `openSample`, the
-- beginning in the smallest sample. A beginning that is common is checked at the rows of the rest, or else found among the sample.
create or replace function find_by_samples(kind text, owner text, queries jsonb, most int) returns setof text language plpgsql as $$
declare
  asked jsonb;
  sample text;
  ids text[];
  near text[];
  found_so_far int := 0;
begin
  for asked in select jsonb_array_elements(queries) loop
    for sample in select jsonb_array_elements_text(asked -> 'samples') loop
      ids := array(select find_page(kind, owner, sample::tsquery, most));
      exit when cardinality(ids) >= most;
    end loop;
    if cardinality(ids) < most then
      near := case when asked ? 'rest' then array(select find_page(kind, owner, (asked ->> 'rest')::tsquery, 500)) end;
      if cardinality(near) < 500 then
        ids := array(select find_among(kind, near, (asked ->> 'open')::tsquery, most));
      elsif near is not null and (select count(*) from find_page(kind, owner, (asked ->> 'openSample')::tsquery, 100)) = 100 then
        ids := ids || array(select find_among(kind, near, (asked ->> 'open')::tsquery, most));
      else
        ids := array(select find_page(kind, owner, (asked ->> 'whole')::tsquery, most));
      end if;
    end if;
    return query select unnest(ids);
    found_so_far := found_so_far + cardinality(ids);
    exit when found_so_far >= most;
  end loop;
end $$;
