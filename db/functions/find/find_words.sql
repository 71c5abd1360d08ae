-- The words of a row, each with its contractor, and again for each sample that the row is in: of every 8th, 64th and 512th row, chosen by the id.
-- A search asks the smallest sample first; where a sample has a full page, the words are common and the page is enough. Qualified, as an index is
-- built without a search path. In PL/pgSQL, which plans once a session: in SQL each statement that writes a row would plan it again.
create or replace function find_words(owner text, id text, given text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  words text := public.find_text(left(given, 600));
  sample int := hashtext(id);
begin
  return array_to_tsvector(string_to_array(public.find_prefixed(owner, words)
      || case when sample & 7 = 0 then ' ' || public.find_prefixed(owner || '/8', words) else '' end
      || case when sample & 63 = 0 then ' ' || public.find_prefixed(owner || '/64', words) else '' end
      || case when sample & 511 = 0 then ' ' || public.find_prefixed(owner || '/512', words) else '' end, ' '));
end $$;
