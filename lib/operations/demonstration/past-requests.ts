import type { RequestBatch, RequestKind, RequestLine } from '@/db/queries/request-log'
import type { CheckedHour } from '@/db/queries/service-checks'
import { requestIdAt } from '@/lib/core/ids'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'

const HOUR_MS = 3_600_000
const DAYS = 30

type Keys = { integration: string; leadSource: string; agent: string }
type Call = Partial<RequestKind> & Pick<RequestKind, 'method' | 'path' | 'endpoint'> & { ms: number }

/** Numbers from 0 to 1 that are the same in every demonstration (Park and Miller, 1988). */
function numbers(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 48_271) % 2_147_483_647
    return at / 2_147_483_647
  }
}

const LISTS: Call[] = RESOURCE_NAMES.map((name) => ({
  method: 'GET',
  path: `/api/v1/${name}`,
  query: 'limit=100&pageToken=…',
  endpoint: `list_${name}`,
  ms: 6,
}))

/** Tools that an assistant of an office calls, the most frequent first. */
const TOOLS = [
  'search',
  'list_invoices',
  'get_accounts_receivable_aging',
  'list_projects',
  'get_record',
  'get_cash_flow',
  'search_documents',
]

const LEAD: Call = { method: 'POST', path: '/api/webhooks/leads/inbound', endpoint: 'create_lead', status: 201, ms: 11 }

/** What goes wrong now and then: a request that has to be corrected, a key of before, too many at once. */
const FAULTS: Call[] = [
  {
    method: 'GET',
    path: '/api/v1/invoices',
    query: 'limit=1000',
    endpoint: 'list_invoices',
    status: 400,
    error_code: 'bad_request',
    error_message: 'limit: must be a whole number from 1 to 100',
    error_fields: ['limit'],
    ms: 2,
  },
  {
    method: 'GET',
    path: '/api/v1/projects/prj_01k00000000000000000000000',
    endpoint: 'get_project',
    status: 404,
    error_code: 'not_found',
    error_message: 'There is no project with this id.',
    ms: 3,
  },
  {
    method: 'GET',
    path: '/api/v1/customers',
    query: 'limit=100',
    endpoint: 'list_customers',
    status: 429,
    error_code: 'rate_limited',
    error_message: 'Too many requests. Try again in 12 seconds.',
    ms: 1,
  },
]

/** Returns the hour of the day and the day of the week of a moment in the middle of the United States. */
const clockOf = (at: number) => {
  const there = new Date(at - 6 * HOUR_MS)
  return { hour: there.getUTCHours(), isWeekday: ![0, 6].includes(there.getUTCDay()) }
}

/** Returns the calls of one hour: a sync of every list, and in office hours the assistant's tools and leads. */
function callsOf(at: number, random: () => number): { by: keyof Keys; call: Call }[] {
  const { hour, isWeekday } = clockOf(at)
  const isOffice = isWeekday && hour >= 7 && hour < 18
  const calls: { by: keyof Keys; call: Call }[] = LISTS.map((call) => ({ by: 'integration', call }))
  const tools = isOffice ? Math.floor(random() * 9) : 0
  for (let i = 0; i < tools; i++) {
    const tool = TOOLS[Math.floor(random() ** 2 * TOOLS.length)] ?? 'search'
    calls.push({
      by: 'agent',
      call: { method: 'POST', path: '/mcp', endpoint: tool, mcp_method: 'tools/call', ms: 14 },
    })
  }
  if (hour >= 7 && hour < 22 && random() < 0.12) calls.push({ by: 'leadSource', call: LEAD })
  const fault = random() < 0.06 ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined
  if (fault) calls.push({ by: 'integration', call: fault })
  return calls
}

const AGENTS: Record<keyof Keys, [address: string, userAgent: string]> = {
  integration: ['203.0.113.20', 'accounting-sync/2.4 (demonstration)'],
  leadSource: ['198.51.100.7', 'website-form/1.1 (demonstration)'],
  agent: ['203.0.113.64', 'office-assistant/1.0 (demonstration)'],
}

/** Returns the requests of a demonstration's last 30 days, the same for everybody but for their ids. */
export function pastRequests({
  contractorId,
  keys,
  now,
}: {
  contractorId: string
  keys: Keys
  now: Date
}): RequestBatch {
  const random = numbers(contractorId.length + 7_919)
  const kinds: RequestKind[] = []
  const places = new Map<string, number>()
  const lines: RequestLine[] = []
  const kindOf = (by: keyof Keys, { ms: _, ...call }: Call): number => {
    const known = `${by} ${call.endpoint} ${call.status}`
    const place = places.get(known) ?? kinds.length
    if (place === kinds.length) {
      const [address, user_agent] = AGENTS[by]
      const none = { query: undefined, mcp_method: undefined, error_code: undefined, error_message: undefined }
      const rest = {
        error_fields: undefined,
        secret_hash: undefined,
        counted: undefined,
        timing: undefined,
        status: 200,
      }
      kinds.push({ ...none, ...rest, contractor_id: contractorId, key_id: keys[by], address, user_agent, ...call })
      places.set(known, place)
    }
    return place
  }
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  for (let hour = last - DAYS * 24 * HOUR_MS; hour < last; hour += HOUR_MS)
    for (const { by, call } of callsOf(hour, random)) {
      const at = Math.floor(hour + random() * HOUR_MS)
      lines.push({
        id: requestIdAt(at).slice(4),
        at,
        duration_ms: call.ms * (0.6 + random() * 1.4),
        kind: kindOf(by, call),
      })
    }
  return { kinds, lines }
}

const PARTS = ['service', 'database', 'limits', 'disk']

/** Returns a month of checks of the service, one a minute, with one short fault of the database. */
export function pastChecks(now: Date): CheckedHour[] {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  return Array.from({ length: DAYS * 24 }, (_, i) => last - (i + 1) * HOUR_MS).flatMap((hour, i) =>
    PARTS.map((part) => ({
      hour: new Date(hour),
      part,
      checks: 60,
      faults: i === 17 * 24 && (part === 'database' || part === 'service') ? 4 : 0,
    })),
  )
}
