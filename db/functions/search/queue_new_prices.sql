-- Queues the items of new prices.
create or replace function queue_new_prices() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select distinct contractor_id, 'material', item_key from new_rows;
  return null;
end $$;
