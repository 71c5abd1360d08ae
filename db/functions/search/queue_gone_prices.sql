-- Queues the items of deleted prices.
create or replace function queue_gone_prices() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select distinct contractor_id, 'material', item_key from old_rows;
  return null;
end $$;
