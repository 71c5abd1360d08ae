import type { Database } from '../client'

/** A request to be logged. An undefined field becomes null in the row and is omitted from the JSON sent to Postgres. */
export type RequestLine = {
  id: string
  /** Epoch milliseconds. */
  at: number
  contractor_id: string | undefined
  key_id: string | undefined
  /** SHA-256 of the secret when the key was not looked up. The database uses it to find the key. */
  secret_hash: string | undefined
  method: string
  path: string
  query: string | undefined
  endpoint: string
  mcp_method: string | undefined
  status: number
  error_code: string | undefined
  error_message: string | undefined
  error_fields: string[] | undefined
  address: string
  duration_ms: number
  user_agent: string | undefined
  /** How many requests this line stands for when they are only counted; undefined for a request that gets its own row. */
  counted: number | undefined
}

// One statement, so that rows, sums and last uses always agree. Rows that several processes may update are locked in one order,
// which prevents deadlocks.
const WRITE = {
  name: 'plumbline_write_requests',
  text: `with incoming as materialized (
    select r.id, to_timestamp(r.at / 1000.0) as at, coalesce(r.contractor_id, k.contractor_id) as contractor_id, coalesce(r.key_id, k.id) as key_id, r.method, r.path,
      r.query, r.endpoint, r.mcp_method, r.status, r.error_code, r.error_message, r.error_fields, r.address, r.duration_ms, r.user_agent, r.counted is null as kept, coalesce(r.counted, 1) as requests
    from json_to_recordset($1::json) as r(id uuid, at float8, contractor_id text, key_id text, secret_hash text, method text,
      path text, query text, endpoint text, mcp_method text, status smallint, error_code text, error_message text, error_fields text[], address text, duration_ms float8,
      user_agent text, counted int)
    left join api_keys k on k.secret_hash = r.secret_hash
  ), written as (
    insert into request_log (id, at, contractor_id, key_id, method, path, query, endpoint, mcp_method, status, error_code, error_message,
      error_fields, address, duration_ms, user_agent)
    select id, at, contractor_id, key_id, method, path, query, endpoint, mcp_method, status, error_code, error_message, error_fields, address,
      duration_ms, user_agent from incoming where kept
  ), used as (
    insert into key_addresses as a (contractor_id, key_id, address, requests, used_at, refused_at)
    select contractor_id, key_id, address, sum(requests), max(at) filter (where status <> 401), max(at) filter (where status = 401)
    from incoming where key_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (contractor_id, key_id, address) do update set requests = a.requests + excluded.requests,
      used_at = greatest(a.used_at, excluded.used_at), refused_at = greatest(a.refused_at, excluded.refused_at)
  )
  insert into request_sums as s (contractor_id, hour, key_id, endpoint, face, status_class, requests, errors, limited, duration_ms)
  select coalesce(contractor_id, ''), date_trunc('hour', at), coalesce(key_id, ''), endpoint,
    case when path = '/mcp' or starts_with(path, '/mcp/') then 'mcp' else 'api' end, case when error_code = 'internal' then 5 else status / 100 end, sum(requests),
    coalesce(sum(requests) filter (where status >= 400 or error_code is not null), 0),
    coalesce(sum(requests) filter (where status = 429 or error_code = 'rate_limited'), 0), sum(duration_ms * requests)
  from incoming group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (contractor_id, hour, key_id, endpoint, face, status_class) do update set requests = s.requests + excluded.requests,
    errors = s.errors + excluded.errors, limited = s.limited + excluded.limited, duration_ms = s.duration_ms + excluded.duration_ms`,
}

/** Logs requests, adds them to the sums and updates the addresses their keys were used from, all or none. */
export async function writeRequests(db: Database, lines: RequestLine[]): Promise<void> {
  await db.run(WRITE, [JSON.stringify(lines)])
}
