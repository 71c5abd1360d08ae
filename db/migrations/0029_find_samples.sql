CREATE INDEX "project_entries_due" ON "project_entries" USING btree ("contractor_id","follow_up_on") WHERE kind = 'follow_up' and undone_at is null;--> statement-breakpoint

-- Finding records by words: a word that stands in every tenth row was read whole, and so was every word that begins as the last one typed. Each
-- word now stands in the index again for a sample of the rows, of every 8th, 64th and 512th, chosen by their id. A search asks the smallest
-- sample first; where a sample has a full page, the words are common and the page is enough.
create function find_prefixed(prefix text, words text) returns text language sql immutable parallel safe as $$
  select prefix || ':' || replace(words, ' ', ' ' || prefix || ':')
$$;--> statement-breakpoint
-- The words of a row, each with its contractor, and again for each sample that the row is in. Qualified, as an index is built without a search path.
create function find_words(owner text, id text, given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(string_to_array(public.find_prefixed(owner, words)
      || case when sample & 7 = 0 then ' ' || public.find_prefixed(owner || '/8', words) else '' end
      || case when sample & 63 = 0 then ' ' || public.find_prefixed(owner || '/64', words) else '' end
      || case when sample & 511 = 0 then ' ' || public.find_prefixed(owner || '/512', words) else '' end, ' '))
  from (select public.find_text(left(given, 600)) as words, hashtext(id) as sample) s
$$;--> statement-breakpoint
-- Without a pending list: every search would read it whole, and the look-up of a misspelled word is a thousand searches.
DROP INDEX "projects_find";--> statement-breakpoint
DROP INDEX "users_find";--> statement-breakpoint
CREATE INDEX "projects_find" ON "projects" USING gin (find_words(contractor_id, id, name || ' ' || coalesce(address, ''))) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "users_find" ON "users" USING gin (find_words(contractor_id, id, name || ' ' || coalesce(address, ''))) WITH (fastupdate=false) WHERE owns_project;--> statement-breakpoint

-- Ids of a contractor's customers or projects that match, by the index of words alone.
create function find_page(kind text, owner text, wanted tsquery, most int) returns setof text language plpgsql
set enable_seqscan = off set enable_indexscan = off as $$
begin
  if kind = 'customer' then
    return query select t.id from users t
      where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted and owns_project
        and contractor_id || '' = owner limit most;
  else
    return query select t.id from projects t
      where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted
        and contractor_id || '' = owner limit most;
  end if;
end $$;--> statement-breakpoint
-- Of some ids, those whose words match; reads these rows alone, as no index has the expression.
create function find_among(kind text, ids text[], wanted tsquery, most int) returns setof text language plpgsql
set enable_seqscan = off as $$
begin
  if kind = 'customer' then
    return query select t.id from users t where t.id = any(ids)
      and (find_words(contractor_id, id, name || ' ' || coalesce(address, '')) || ''::tsvector) @@ wanted limit most;
  else
    return query select t.id from projects t where t.id = any(ids)
      and (find_words(contractor_id, id, name || ' ' || coalesce(address, '')) || ''::tsvector) @@ wanted limit most;
  end if;
end $$;--> statement-breakpoint
-- Ids that match the first of several queries; of the next one too where those are too few, and so on. A query has `samples`, itself in each sample
-- from the smallest on; `whole`; and if its last word is just a beginning, `rest`, the words before it, `open`, the beginning, and `openSample`, the
-- beginning in the smallest sample. A beginning that is common is checked at the rows of the rest, or else found among the sample.
create function find_by_samples(kind text, owner text, queries jsonb, most int) returns setof text language plpgsql as $$
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
end $$;--> statement-breakpoint

-- For a version before this one that serves meanwhile: the same queries without samples.
create or replace function find_by_words(kind text, owner text, queries text[], most int) returns setof text language plpgsql as $$
declare
  wanted tsquery;
  here int;
  found_so_far int := 0;
begin
  foreach wanted in array queries::tsquery[] loop
    return query select find_page(kind, owner, wanted, most);
    get diagnostics here = row_count;
    found_so_far := found_so_far + here;
    exit when found_so_far >= most;
  end loop;
end $$;--> statement-breakpoint
-- Which of some words a contractor's customers or projects have, in the order given.
create or replace function find_known_words(owner text, words text[]) returns setof text language plpgsql
set enable_seqscan = off set enable_indexscan = off set gin_fuzzy_search_limit = 100 as $$
declare
  word text;
  wanted tsquery;
begin
  foreach word in array words loop
    wanted := quote_literal(owner || ':' || word)::tsquery;
    if exists (select from users
        where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted and owns_project)
      or exists (select from projects
        where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted)
    then return next word; end if;
  end loop;
end $$;--> statement-breakpoint
drop function find_lexemes(text, text);
