CREATE TABLE "search_queue" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner" text NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "search_queue_owner" ON "search_queue" USING btree ("owner","id");--> statement-breakpoint
-- Records are searched as documents. A change queues its record in its own transaction, whoever makes it; index_queued works it off.

-- A text in pieces that a search shows: whole sentences, about two thousand characters each.
create function record_pieces(given text) returns table (ordinal smallint, piece text) language sql immutable as $$
  select 0::smallint, given where length(given) <= 2000
  union all
  select (row_number() over (order by part) - 1)::smallint, left(string_agg(s.sentence, ' ' order by s.n), 20000)
  from (
    select sentence, n, sum(length(sentence)) over (order by n) / 2000 as part
    from regexp_split_to_table(given, '(?<=[.!?])\s+|\n+') with ordinality as t(sentence, n)
    where length(given) > 2000
  ) s group by part
$$;--> statement-breakpoint

-- Adds or changes the documents of records: [{id, owner, reference, title, link, untrusted, text}]. One that is the same is left.
-- Joins other than by index are off, as in index_chunks.
create function put_record_documents(for_type text, records jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  written bigint[];
  replaced bigint[];
begin
  insert into search_shelves (owner, type)
    select distinct r.owner, for_type from jsonb_to_recordset(records) as r(owner text)
    where not exists (select 1 from search_shelves s where s.owner = r.owner and s.type = for_type)
    order by r.owner on conflict do nothing;
  perform 1 from search_shelves
    where type = for_type and owner in (select r.owner from jsonb_to_recordset(records) as r(owner text))
    order by id for no key update;
  with put as (
    insert into documents as d (id, shelf_id, reference, title, link, untrusted, digest)
    select r.id, s.id, r.reference, r.title, r.link, r.untrusted,
      encode(sha256(convert_to(jsonb_build_array(r.title, r.link, r.untrusted, r.text)::text, 'UTF8')), 'hex')
    from jsonb_to_recordset(records)
        as r(id text, owner text, reference text, title text, link text, untrusted boolean, text text)
      cross join lateral (select id from search_shelves where owner = r.owner and type = for_type limit 1) s
    on conflict (shelf_id, reference) do update set title = excluded.title, link = excluded.link,
      untrusted = excluded.untrusted, digest = excluded.digest
    where d.digest <> excluded.digest
    returning number, xmax <> 0 as changed
  )
  select array_agg(number), array_agg(number) filter (where changed) into written, replaced from put;
  if replaced is not null then
    delete from document_chunks where document = any(replaced);
  end if;
  if written is not null then
    insert into document_chunks (document, ordinal, shelf_id, title, heading, text)
      select d.number, p.ordinal, d.shelf_id, d.title, '', p.piece
      from jsonb_to_recordset(records) as r(owner text, reference text, text text)
        cross join lateral (select id from search_shelves where owner = r.owner and type = for_type limit 1) s
        cross join lateral (select * from documents where shelf_id = s.id and reference = r.reference limit 1) d
        cross join lateral record_pieces(r.text) p
      where d.number = any(written);
  end if;
end $$;--> statement-breakpoint

-- Removes the documents of records: [{owner, reference}].
create function remove_record_documents(for_type text, records jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  gone bigint[];
begin
  perform 1 from search_shelves
    where type = for_type and owner in (select r.owner from jsonb_to_recordset(records) as r(owner text))
    order by id for no key update;
  select array_agg(d.number) into gone from jsonb_to_recordset(records) as r(owner text, reference text)
    cross join lateral (select id from search_shelves where owner = r.owner and type = for_type limit 1) s
    cross join lateral (select number from documents where shelf_id = s.id and reference = r.reference limit 1) d;
  if gone is null then return; end if;
  delete from document_chunks where document = any(gone);
  delete from documents where number = any(gone);
end $$;--> statement-breakpoint

-- A project as a document. What came in as a lead has a job number, and was written by a stranger.
create function project_document(p projects) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', 'doc_' || substr(p.id, 5), 'owner', p.contractor_id, 'reference', p.id,
    'title', left(p.name, 500), 'link', '/api/v1/projects/' || p.id, 'untrusted', p.job_number is not null,
    'text', concat_ws(e'\n', p.description, nullif(concat_ws(', ', p.address, p.city, p.state, p.zip), '')))
$$;--> statement-breakpoint
create function search_type(p projects) returns text language sql immutable as $$
  select case when p.job_number is null then 'project' else 'lead' end
$$;--> statement-breakpoint
-- Items of a price book as documents, each with its newest prices; an item whose prices are all gone leaves the index.
create function index_items(items jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  there jsonb;
  gone jsonb;
begin
  select jsonb_agg(jsonb_build_object('id', 'doc_' || substr(p.first_id, 5), 'owner', i.owner, 'reference', i.item,
        'title', left(p.title, 500), 'link', null, 'untrusted', false, 'text', p.text)) filter (where p.title is not null),
      jsonb_agg(jsonb_build_object('owner', i.owner, 'reference', i.item)) filter (where p.title is null)
    into there, gone
    from jsonb_to_recordset(items) as i(owner text, item text) cross join lateral (
      select min(m.id) as first_id, (array_agg(m.name))[1] as title,
        concat_ws(e'\n', i.item || coalesce(', ' || max(m.trade), ''), string_agg(concat_ws(', ', m.unit_cost::text || ' ' || m.currency || ' per ' || m.unit,
          m.supplier, m.region, m.observed_on::text), e'\n')) as text
      from (
        select * from material_prices where contractor_id = i.owner and item_key = i.item
        order by observed_on desc, id desc limit 20) m) p;
  if there is not null then perform put_record_documents('material', there); end if;
  if gone is not null then perform remove_record_documents('material', gone); end if;
end $$;--> statement-breakpoint
-- A permit as a document. A city's clerks and applicants wrote it.
create function permit_document(p permits) returns jsonb language sql stable as $$
  select jsonb_build_object('id', 'doc_' || substr(p.id, 5), 'owner', 'public', 'reference', p.id,
    'title', left(concat_ws(' ', 'Permit', p.permit_num, coalesce(p.permit_type, p.permit_type_mapped)), 500), 'link', p.link,
    'untrusted', true,
    'text', concat_ws(e'\n', p.description, p.permit_type_desc, p.work_class, p.contractor_company_name,
      nullif(concat_ws(', ', p.original_address1, p.original_city, p.original_state, p.original_zip), '')))
$$;--> statement-breakpoint
-- A project's document, under the type it has; under the other it is removed, and under both when the project is gone.
create function index_projects(wanted jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  kind record;
begin
  for kind in
    select t.type, jsonb_agg(project_document(p) order by p.id) filter (where p.id is not null and search_type(p) = t.type) as there,
      jsonb_agg(jsonb_build_object('owner', w.owner, 'reference', w.reference))
        filter (where p.id is null or search_type(p) <> t.type) as gone
    from jsonb_to_recordset(wanted) as w(owner text, reference text)
      cross join (values ('lead'), ('project')) t(type)
      left join projects p on p.id = w.reference and p.contractor_id = w.owner
    group by t.type order by t.type
  loop
    if kind.gone is not null then perform remove_record_documents(kind.type, kind.gone); end if;
    if kind.there is not null then perform put_record_documents(kind.type, kind.there); end if;
  end loop;
end $$;--> statement-breakpoint
create function index_permits(wanted jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  there jsonb;
  gone jsonb;
begin
  select jsonb_agg(permit_document(p) order by p.id) filter (where p.id is not null),
      jsonb_agg(jsonb_build_object('owner', w.owner, 'reference', w.reference)) filter (where p.id is null)
    into there, gone
    from jsonb_to_recordset(wanted) as w(owner text, reference text) left join permits p on p.id = w.reference;
  if there is not null then perform put_record_documents('permit', there); end if;
  if gone is not null then perform remove_record_documents('permit', gone); end if;
end $$;--> statement-breakpoint
-- Writes the documents of at most so many queued changes of one owner, oldest first; of the owner with the oldest when null. Returns how
-- many it took. One at a time for an owner: each reads its records after the one before has written them.
create function index_queued(of_owner text, most int) returns int language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  taken int;
  batch jsonb;
  work record;
begin
  if of_owner is null then select owner into of_owner from search_queue order by id limit 1; end if;
  if not exists (select 1 from search_queue where owner = of_owner) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('search_queue ' || of_owner, 0));
  with gone as (
    delete from search_queue where id in (select id from search_queue where owner = of_owner order by id limit most)
    returning owner, kind, reference
  )
  select count(*), jsonb_agg(distinct jsonb_build_object('owner', owner, 'kind', kind, 'reference', reference))
    into taken, batch from gone;
  for work in
    select b.kind, jsonb_agg(jsonb_build_object('owner', b.owner, 'reference', b.reference, 'item', b.reference)) as records
    from jsonb_to_recordset(batch) as b(owner text, kind text, reference text) group by b.kind order by b.kind
  loop
    case work.kind
      when 'project' then perform index_projects(work.records);
      when 'material' then perform index_items(work.records);
      else perform index_permits(work.records);
    end case;
  end loop;
  return taken;
end $$;--> statement-breakpoint

create function queue_new_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select contractor_id, 'project', id from new_rows;
  return null;
end $$;--> statement-breakpoint
create function queue_changed_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference)
    select n.contractor_id, 'project', n.id from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.description, n.address, n.city, n.state, n.zip, n.job_number is null)
      is distinct from (o.name, o.description, o.address, o.city, o.state, o.zip, o.job_number is null);
  return null;
end $$;--> statement-breakpoint
create function queue_gone_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select contractor_id, 'project', id from old_rows;
  return null;
end $$;--> statement-breakpoint
create trigger queue_new after insert on projects
  referencing new table as new_rows for each statement execute function queue_new_projects();--> statement-breakpoint
create trigger queue_changed after update on projects
  referencing old table as old_rows new table as new_rows for each statement execute function queue_changed_projects();--> statement-breakpoint
create trigger queue_gone after delete on projects
  referencing old table as old_rows for each statement execute function queue_gone_projects();--> statement-breakpoint
create function queue_new_prices() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select distinct contractor_id, 'material', item_key from new_rows;
  return null;
end $$;--> statement-breakpoint
create function queue_changed_prices() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference)
    select contractor_id, 'material', item_key from new_rows union select contractor_id, 'material', item_key from old_rows;
  return null;
end $$;--> statement-breakpoint
create function queue_gone_prices() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select distinct contractor_id, 'material', item_key from old_rows;
  return null;
end $$;--> statement-breakpoint
create trigger queue_new after insert on material_prices
  referencing new table as new_rows for each statement execute function queue_new_prices();--> statement-breakpoint
create trigger queue_changed after update on material_prices
  referencing old table as old_rows new table as new_rows for each statement execute function queue_changed_prices();--> statement-breakpoint
create trigger queue_gone after delete on material_prices
  referencing old table as old_rows for each statement execute function queue_gone_prices();--> statement-breakpoint

-- What is there already waits in the queue like any change.
insert into search_queue (owner, kind, reference) select contractor_id, 'project', id from projects;--> statement-breakpoint
insert into search_queue (owner, kind, reference) select distinct contractor_id, 'material', item_key from material_prices;
