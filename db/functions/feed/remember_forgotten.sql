-- Remembers up to where a feed was deleted, however that happens: a cursor before that is too old.
create or replace function remember_forgotten() returns trigger language plpgsql as $$
begin
  update change_heads h set forgotten_to = greatest(h.forgotten_to, o.position)
    from (select contractor_id, max(position) as position from old_rows group by contractor_id order by contractor_id) o
    where h.contractor_id = o.contractor_id;
  return null;
end $$;
