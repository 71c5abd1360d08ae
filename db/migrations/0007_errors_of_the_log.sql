-- Failed requests by whether they are the caller's or ours, and statuses hidden from the planner, as contractors are: it expected one row of a class
-- of statuses in each day, and read all of a contractor's errors for a page of them. What it knew of statuses is forgotten with the change of type,
-- which rewrites nothing.
drop index request_log_errors;
alter table request_log alter column status set statistics 0;
alter table request_log alter column status type smallint;
create index request_log_errors on request_log (contractor_id, (status >= 500), at, id) where status >= 400;
