-- Queues the items of changed prices, under the key they have now and the one they had.
create or replace function queue_changed_prices() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference)
    select contractor_id, 'material', item_key from new_rows union select contractor_id, 'material', item_key from old_rows;
  return null;
end $$;
