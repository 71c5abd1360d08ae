-- True for the contractor's own rows and null for others: what equality says, at a cost that has the planner look at as few rows as it can.
-- Asked for with "is not null", which it takes to hold for nearly all rows, and not for a third of them as a function's answer.
create or replace function belongs_to(owner text, contractor text) returns boolean language plpgsql immutable strict parallel safe cost 4000 as $$
begin
  return nullif(owner = contractor, false);
end $$;
