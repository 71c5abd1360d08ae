-- What is searched is the same for a document and for a query: lower case, no accents, and signs that Postgres's parser would take
-- for parts of paths, hosts and tags ("ice/water", "half-inch", "done.Next") parted into words. A point between digits stays.
create function search_text(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(
    translate(regexp_replace(normalize(lower(given), NFKD), '[\u0300-\u036f]+', '', 'g'),
      '/\_-@#&=+~^|<>:*"', '                 '),
    '\.(?![0-9])', ' ', 'g')
$$;--> statement-breakpoint
-- A word's place stays known: A in the title, B in a heading, D in the text.
create function search_lexemes(title text, heading text, body text) returns tsvector
language sql immutable strict parallel safe as $$
  select setweight(to_tsvector('pg_catalog.english', public.search_text(title)), 'A')
    || setweight(to_tsvector('pg_catalog.english', public.search_text(heading)), 'B')
    || to_tsvector('pg_catalog.english', public.search_text(body))
$$;--> statement-breakpoint
-- How often a word counts in a chunk: three times in the title, twice in a heading, once in the text.
create function search_count(weights text[]) returns smallint language sql immutable strict parallel safe as $$
  select (cardinality(weights) + 2 * cardinality(array_positions(weights, 'A')) + cardinality(array_positions(weights, 'B')))::smallint
$$;--> statement-breakpoint
-- BM25's share of a posting for a shelf of middling length (k1 1.2, b 0.75, 100 words): orders postings, and is never shown.
create function search_impact(count int, length int) returns smallint language sql immutable strict parallel safe as $$
  select round(10000 * count::float8 / (count + 1.2 * (0.25 + 0.75 * length / 100::float8)))::smallint
$$;--> statement-breakpoint
CREATE TABLE "chunk_terms" (
	"document" bigint NOT NULL,
	"ordinal" smallint NOT NULL,
	"shelf_id" integer NOT NULL,
	"length" integer NOT NULL,
	"terms" integer[] NOT NULL,
	"counts" smallint[] NOT NULL,
	CONSTRAINT "chunk_terms_document_ordinal_pk" PRIMARY KEY("document","ordinal")
);
--> statement-breakpoint
CREATE TABLE "chunk_vectors" (
	"document" bigint NOT NULL,
	"ordinal" smallint NOT NULL,
	"model" text NOT NULL,
	"vector" real[] NOT NULL,
	CONSTRAINT "chunk_vectors_document_ordinal_pk" PRIMARY KEY("document","ordinal")
);
--> statement-breakpoint
CREATE TABLE "document_chunks" (
	"document" bigint NOT NULL,
	"ordinal" smallint NOT NULL,
	"shelf_id" integer NOT NULL,
	"title" text NOT NULL,
	"heading" text NOT NULL,
	"text" text NOT NULL,
	"lexemes" "tsvector" GENERATED ALWAYS AS (search_lexemes(title, heading, text)) STORED,
	CONSTRAINT "document_chunks_document_ordinal_pk" PRIMARY KEY("document","ordinal")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "documents_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"shelf_id" integer NOT NULL,
	"reference" text NOT NULL,
	"title" text NOT NULL,
	"link" text,
	"untrusted" boolean NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	CONSTRAINT "documents_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "search_postings" (
	"document" bigint NOT NULL,
	"term_id" integer NOT NULL,
	"ordinal" smallint NOT NULL,
	"impact" smallint NOT NULL,
	"count" smallint NOT NULL,
	"length" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_shelves" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search_shelves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner" text NOT NULL,
	"type" text NOT NULL,
	"chunks" integer DEFAULT 0 NOT NULL,
	"words" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_terms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search_terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"shelf_id" integer NOT NULL,
	"term" text COLLATE "C" NOT NULL,
	"chunks" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"shelf_id" integer NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	"term_id" integer NOT NULL,
	CONSTRAINT "search_words_shelf_id_word_pk" PRIMARY KEY("shelf_id","word")
);
--> statement-breakpoint
ALTER TABLE "chunk_vectors" ADD CONSTRAINT "chunk_vectors_document_ordinal_document_chunks_document_ordinal_fk" FOREIGN KEY ("document","ordinal") REFERENCES "public"."document_chunks"("document","ordinal") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_chunks" ADD CONSTRAINT "document_chunks_document_documents_number_fk" FOREIGN KEY ("document") REFERENCES "public"."documents"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_shelf_id_search_shelves_id_fk" FOREIGN KEY ("shelf_id") REFERENCES "public"."search_shelves"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "documents_reference" ON "documents" USING btree ("shelf_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "search_shelves_owner" ON "search_shelves" USING btree ("owner","type");--> statement-breakpoint
CREATE UNIQUE INDEX "search_terms_term" ON "search_terms" USING btree ("shelf_id","term");--> statement-breakpoint
CREATE UNIQUE INDEX "search_words_term" ON "search_words" USING btree ("term_id","word");--> statement-breakpoint
CREATE UNIQUE INDEX "search_postings_best" ON "search_postings" USING btree ("term_id","impact" DESC,"document","ordinal") INCLUDE ("count","length");--> statement-breakpoint
ALTER TABLE "search_shelves" ADD CONSTRAINT "search_shelves_type" CHECK ("type" in ('document', 'guide', 'project', 'lead', 'permit', 'material'));--> statement-breakpoint
-- Room for the counters to be counted up in place.
alter table search_terms set (fillfactor = 70);--> statement-breakpoint
alter table search_shelves set (fillfactor = 50);--> statement-breakpoint
create trigger touch before update on documents for each row execute function touch();--> statement-breakpoint

-- Puts new chunks into the index. All but joins by index is off: a database that was filled just now has no statistics, and
-- Postgres would rather read whole tables.
create function index_chunks() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_material = off as $$
begin
  perform 1 from search_shelves where id in (select shelf_id from new_rows) order by id for no key update;
  -- Not "on conflict" alone: that would draw a number for every word that is there already.
  insert into search_terms (shelf_id, term, chunks)
    select distinct n.shelf_id, l.lexeme, 0 from new_rows n cross join lateral unnest(n.lexemes) l
    where length(l.lexeme) <= 64
      and (select t.id from search_terms t where t.shelf_id = n.shelf_id and t.term = l.lexeme limit 1) is null;
  with counted as materialized (
    select n.document, n.ordinal, n.shelf_id, l.lexeme as term, search_count(l.weights) as count,
      (sum(search_count(l.weights)) over (partition by n.document, n.ordinal))::int as length
    from new_rows n cross join lateral unnest(n.lexemes) l where length(l.lexeme) <= 64
  ), listed as materialized (
    select c.*, t.id as term_id from counted c cross join lateral (
      select id from search_terms where shelf_id = c.shelf_id and term = c.term limit 1) t
  ), forward as (
    insert into chunk_terms (document, ordinal, shelf_id, length, terms, counts)
    select document, ordinal, shelf_id, length, array_agg(term_id order by term_id), array_agg(count order by term_id)
    from listed group by document, ordinal, shelf_id, length returning shelf_id, length
  ), inverted as (
    insert into search_postings (document, term_id, ordinal, impact, count, length)
    select document, term_id, ordinal, search_impact(count, length), count, length from listed
  ), in_terms as (
    update search_terms t set chunks = t.chunks + n.n
    from (select term_id, count(*) as n from listed group by term_id) n where t.id = n.term_id
  )
  update search_shelves s set words = s.words + f.words
  from (select shelf_id, sum(length) as words from forward group by shelf_id) f where s.id = f.shelf_id;
  update search_shelves s set chunks = s.chunks + n.n
  from (select shelf_id, count(*) as n from new_rows group by shelf_id) n where s.id = n.shelf_id;
  -- Words as they were written, of which a typing error can be mended.
  insert into search_words (shelf_id, word, term_id)
    select w.shelf_id, w.word, t.id
    from (select distinct n.shelf_id, l.lexeme as word from new_rows n cross join lateral
        unnest(to_tsvector('pg_catalog.simple', search_text(n.title || ' ' || n.heading || ' ' || n.text))) l
      where length(l.lexeme) between 4 and 24 and l.lexeme !~ '[0-9]'
        and (select k.word from search_words k where k.shelf_id = n.shelf_id and k.word = l.lexeme limit 1) is null) w
    cross join lateral (select id from search_terms
      where shelf_id = w.shelf_id and term = (ts_lexize('pg_catalog.english_stem', w.word))[1] limit 1) t
    on conflict do nothing;
  return null;
end $$;--> statement-breakpoint

-- Takes chunks out of the index, and with the last chunk of a word the word.
create function unindex_chunks() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_material = off as $$
declare
  dead int[];
begin
  perform 1 from search_shelves where id in (select shelf_id from old_rows) order by id for no key update;
  with gone as materialized (
    delete from chunk_terms f using old_rows o where f.document = o.document and f.ordinal = o.ordinal returning f.*
  ), listed as materialized (
    select g.document, g.ordinal, g.length, u.term_id, u.count
    from gone g cross join lateral unnest(g.terms, g.counts) as u(term_id, count)
  ), inverted as (
    delete from search_postings p using listed l
    where p.term_id = l.term_id and p.impact = search_impact(l.count, l.length)
      and p.document = l.document and p.ordinal = l.ordinal
  ), in_shelves as (
    update search_shelves s set words = s.words - f.words
    from (select shelf_id, sum(length) as words from gone group by shelf_id) f where s.id = f.shelf_id
  ), in_terms as (
    update search_terms t set chunks = t.chunks - n.n
    from (select term_id, count(*) as n from listed group by term_id) n where t.id = n.term_id returning t.id, t.chunks
  )
  select array_agg(id) into dead from in_terms where chunks = 0;
  update search_shelves s set chunks = s.chunks - o.n
  from (select shelf_id, count(*) as n from old_rows group by shelf_id) o where s.id = o.shelf_id;
  delete from search_words where term_id = any(dead);
  delete from search_terms where id = any(dead);
  return null;
end $$;--> statement-breakpoint

-- A chunk is never changed, only replaced: that is all the index must follow.
create function refuse_chunk_change() returns trigger language plpgsql as $$
begin
  raise exception 'a chunk is replaced, never changed';
end $$;--> statement-breakpoint
create trigger index_chunks after insert on document_chunks
  referencing new table as new_rows for each statement execute function index_chunks();--> statement-breakpoint
create trigger unindex_chunks after delete on document_chunks
  referencing old table as old_rows for each statement execute function unindex_chunks();--> statement-breakpoint
create trigger never_changed before update on document_chunks
  for each row execute function refuse_chunk_change();
