-- Finding records by what people know of them: a name, a street, a number, a telephone number, an email address. Every expression begins
-- with the contractor, so that one contractor's words are a range apart from all others', and no other condition can take these indexes.

-- Words as people type them: lower case, without accents and apostrophes, parted by every other sign. lib/knowledge/find/words.ts does the same.
create function find_text(given text) returns text language sql immutable parallel safe as $$
  select btrim(regexp_replace(lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f''\u2019]+', '', 'g')),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'))
$$;--> statement-breakpoint
-- The words of a text, each once and with its contractor. Qualified, as an index is built without a search path.
create function find_lexemes(owner text, given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(string_to_array(owner || ':' || replace(public.find_text(left(given, 600)), ' ', ' ' || owner || ':'), ' '))
$$;--> statement-breakpoint
-- What people quote of a number such as INV-2026-0042: its last digits, without the zeros before them. A number without digits is itself.
create function find_number(given text) returns text language sql immutable parallel safe as $$
  select left(coalesce(nullif(ltrim(substring(given from '([0-9]+)[^0-9]*$'), '0'), ''), lower(given)), 60)
$$;--> statement-breakpoint

CREATE INDEX "estimates_find" ON "estimates" USING btree ((contractor_id || ':' || find_number(number)) collate "C");--> statement-breakpoint
CREATE INDEX "invoices_find" ON "analytics_invoice_records" USING btree ((contractor_id || ':' || find_number(number)) collate "C");--> statement-breakpoint
CREATE INDEX "projects_find" ON "projects" USING gin (find_lexemes(contractor_id, name || ' ' || coalesce(address, '')));--> statement-breakpoint
CREATE INDEX "payments_find" ON "analytics_revenue_transactions" USING btree ((contractor_id || ':' || find_number(reference)) collate "C") WHERE type = 'payment_received' and reference is not null;--> statement-breakpoint
CREATE INDEX "users_find" ON "users" USING gin (find_lexemes(contractor_id, name || ' ' || coalesce(address, ''))) WHERE owns_project;--> statement-breakpoint
CREATE INDEX "users_find_email" ON "users" USING btree ((contractor_id || ':' || email) collate "C") WHERE owns_project and email is not null;--> statement-breakpoint
CREATE INDEX "users_find_phone" ON "users" USING btree ((contractor_id || ':' || reverse(phone)) collate "C") WHERE owns_project and phone is not null;--> statement-breakpoint

-- The ids of a contractor's customers or projects that have the words of the first of several queries; of the next one where those are too
-- few, and so on. By the index of words alone. A query of one word, which may stand in half of all rows, reads about 5,000 of them.
create function find_by_words(kind text, owner text, queries text[], most int) returns setof text language plpgsql
set enable_seqscan = off set enable_indexscan = off set gin_fuzzy_search_limit = 0 as $$
declare
  wanted tsquery;
  here int;
  found_so_far int := 0;
begin
  foreach wanted in array queries::tsquery[] loop
    perform set_config('gin_fuzzy_search_limit', case when numnode(wanted) = 1 then '5000' else '0' end, true);
    if kind = 'customer' then
      return query select id from users
        where find_lexemes(contractor_id, name || ' ' || coalesce(address, '')) @@ wanted and owns_project
          and contractor_id || '' = owner limit most;
    else
      return query select id from projects
        where find_lexemes(contractor_id, name || ' ' || coalesce(address, '')) @@ wanted
          and contractor_id || '' = owner limit most;
    end if;
    get diagnostics here = row_count;
    found_so_far := found_so_far + here;
    exit when found_so_far >= most;
  end loop;
end $$;--> statement-breakpoint
-- Which of some words a contractor's customers or projects have, in the order given.
create function find_known_words(owner text, words text[]) returns setof text language plpgsql
set enable_seqscan = off set enable_indexscan = off set gin_fuzzy_search_limit = 100 as $$
declare
  word text;
  wanted tsquery;
begin
  foreach word in array words loop
    wanted := quote_literal(owner || ':' || word)::tsquery;
    if exists (select from users
        where find_lexemes(contractor_id, name || ' ' || coalesce(address, '')) @@ wanted and owns_project)
      or exists (select from projects
        where find_lexemes(contractor_id, name || ' ' || coalesce(address, '')) @@ wanted)
    then return next word; end if;
  end loop;
end $$;--> statement-breakpoint
-- The ids of records whose email address, telephone number (from its end) or number begins with a text, the shortest first.
create function find_by_beginning(kind text, owner text, beginning text, most int) returns setof text language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  since text := owner || ':' || beginning;
  until text := owner || ':' || beginning || chr(1114109);
begin
  case kind
    when 'email' then return query select id from users
      where (contractor_id || ':' || email) collate "C" >= since and (contractor_id || ':' || email) collate "C" < until
        and owns_project and email is not null order by (contractor_id || ':' || email) collate "C" limit most;
    when 'phone' then return query select id from users
      where (contractor_id || ':' || reverse(phone)) collate "C" >= since and (contractor_id || ':' || reverse(phone)) collate "C" < until
        and owns_project and phone is not null order by (contractor_id || ':' || reverse(phone)) collate "C" limit most;
    when 'invoice' then return query select id from analytics_invoice_records
      where (contractor_id || ':' || find_number(number)) collate "C" >= since and (contractor_id || ':' || find_number(number)) collate "C" < until
      order by (contractor_id || ':' || find_number(number)) collate "C" limit most;
    when 'estimate' then return query select id from estimates
      where (contractor_id || ':' || find_number(number)) collate "C" >= since and (contractor_id || ':' || find_number(number)) collate "C" < until
      order by (contractor_id || ':' || find_number(number)) collate "C" limit most;
    when 'payment' then return query select id from analytics_revenue_transactions
      where (contractor_id || ':' || find_number(reference)) collate "C" >= since and (contractor_id || ':' || find_number(reference)) collate "C" < until
        and type = 'payment_received' and reference is not null order by (contractor_id || ':' || find_number(reference)) collate "C" limit most;
  end case;
end $$;
