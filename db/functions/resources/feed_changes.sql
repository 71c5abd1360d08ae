-- Queues what a statement changes of a resource's table, in its transaction, for the feed. A row is in the feed while `shown` holds for it.
-- Each resource has functions of its own, whose plans the session keeps; without nested loops, because a plan that was made for one row is
-- kept for thousands. Rows that are there already are counted later (`count_records`).
create or replace function feed_changes(resource text, listed regclass, shown text, by_row name, feed_settings text)
returns void language plpgsql as $do$
declare
  shown_new text := replace(shown, 'row.', 'n.');
  shown_old text := replace(shown, 'row.', 'o.');
  has_rows boolean;
  -- The name as a part of a function's name.
  called text := replace(resource, '-', '_');
  -- Only the clock changes a status, and what counts of an invoice from a day on, and nothing else.
  turned text := case when exists (select from pg_attribute where attrelid = listed and attname = 'turns_at' and not attisdropped)
    then $turned$when n.status <> o.status and to_jsonb(n) - kept_by_clock(o.turns_at) = to_jsonb(o) - kept_by_clock(o.turns_at)
              then 'turned'$turned$ else '' end;
begin
  execute format($f$
    create or replace function queue_created_%3$s() returns trigger language plpgsql as $body$
      begin
        insert into change_queue (contractor_id, resource, record_id, change, version)
          select n.contractor_id, %1$L, n.id, 'created', n.updated_at from new_rows n where %2$s;
        return null;
      end $body$ $f$, resource, shown_new, called);
  execute format($f$create or replace trigger feed_created after insert on %s
    referencing new table as new_rows for each statement execute function queue_created_%s()$f$, listed, called);
  if by_row is not null then
    execute format($f$create or replace trigger feed_updated after update on %s
      for each row when ((%s or %s) and old.updated_at <> new.updated_at) execute function %I()$f$,
      listed, replace(shown, 'row.', 'old.'), replace(shown, 'row.', 'new.'), by_row);
    execute format($f$create or replace trigger feed_deleted after delete on %s
      for each row when (%s) execute function %I()$f$, listed, replace(shown, 'row.', 'old.'), by_row);
  else
    execute format($f$
      create or replace function queue_updated_%6$s() returns trigger language plpgsql %5$s as $body$
      begin
        insert into change_queue (contractor_id, resource, record_id, change, was, version)
          select n.contractor_id, %1$L, n.id,
            case when not (%3$s) then 'created' when not (%2$s) then 'deleted' %4$s else 'updated' end,
            case when %3$s then o.updated_at end, case when %2$s then n.updated_at end
          from new_rows n join old_rows o on o.id = n.id
          where n.updated_at <> o.updated_at and (%2$s or %3$s);
        return null;
      end $body$ $f$, resource, shown_new, shown_old, turned, feed_settings, called);
    execute format($f$
      create or replace function queue_deleted_%3$s() returns trigger language plpgsql as $body$
      begin
        insert into change_queue (contractor_id, resource, record_id, change, was)
          select o.contractor_id, %1$L, o.id, 'deleted', o.updated_at from old_rows o where %2$s;
        return null;
      end $body$ $f$, resource, shown_old, called);
    execute format($f$create or replace trigger feed_updated after update on %s
      referencing old table as old_rows new table as new_rows for each statement execute function queue_updated_%s()$f$, listed, called);
    execute format($f$create or replace trigger feed_deleted after delete on %s
      referencing old table as old_rows for each statement execute function queue_deleted_%s()$f$, listed, called);
  end if;
  execute format('select exists (select from %s)', listed) into has_rows;
  -- What was fed from its first row on needs no counting.
  if has_rows and not exists (select from change_totals t where t.resource = feed_changes.resource) then
    insert into change_base (resource) values (resource) on conflict do nothing;
  end if;
end $do$;
