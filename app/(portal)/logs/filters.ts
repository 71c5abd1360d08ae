import { parseDay, parseInstant } from '@/lib/core/time'

/** The log's filters as named in the URL and the form, in display order. */
const FILTER_NAMES = ['status', 'path', 'key', 'method', 'endpoint', 'address', 'id', 'period', 'from', 'to'] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export type FilterValues = Partial<Record<FilterName, string>>

/** Preset time ranges up to now, by their name in the URL; `length` in milliseconds. */
export const PERIODS: Record<string, { words: string; length: number }> = {
  '15m': { words: '15 minutes', length: 15 * 60_000 },
  '1h': { words: 'Hour', length: 3_600_000 },
  '24h': { words: '24 hours', length: 86_400_000 },
  '7d': { words: '7 days', length: 7 * 86_400_000 },
  '30d': { words: '30 days', length: 30 * 86_400_000 },
}

/** The most rows an export contains, newest first. */
export const EXPORT_ROWS = 100_000

/** A page's query as Next provides it. */
export type Search = Record<string, string | string[] | undefined>

/** The filters that `list_requests` and `tail_requests` accept. */
export type LogFilters = {
  method?: string
  status?: number
  statusClass?: number
  failed?: boolean
  limited?: boolean
  path?: string
  endpoint?: string
  keyId?: string
  address?: string
  from?: string
  to?: string
}

export type ReadFilters = {
  values: FilterValues
  filters: LogFilters
  /** The id of a single request, which has its own page. */
  requestId: string | undefined
  /** Errors by field. A field with an error does not filter. */
  faults: FilterValues
  place: PagePlace
}

/** The start of a log page: before a row (older ones), or after one (newer ones, when paging back). */
export type PagePlace = { before?: string; after?: string }

const MOST = 300
const UUID = /^(?:req_)?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i

function first(search: Search, name: string): string | undefined {
  const value = search[name]
  const text = (typeof value === 'string' ? value : value?.[0])?.trim().slice(0, MOST)
  return text === '' ? undefined : text
}

/** Parses a time from the form: with an offset as given, else as UTC, as the form says. A day means its first moment. */
function momentOf(text: string): string | undefined {
  const moment = parseDay(text) ?? parseInstant(text) ?? parseInstant(`${text}Z`)
  return moment?.toISOString()
}

function readStatus(text: string): Pick<LogFilters, 'status' | 'statusClass' | 'failed' | 'limited'> | undefined {
  if (/^failed$/i.test(text)) return { failed: true }
  if (/^limited$/i.test(text)) return { limited: true }
  if (/^[1-5]xx$/i.test(text)) return { statusClass: Number(text[0]) }
  return /^[1-5]\d\d$/.test(text) ? { status: Number(text) } : undefined
}

const MOMENT_FAULT = 'Enter a date or time in UTC, such as 2026-11-20 or 2026-11-20T08:30.'

function readValues(search: Search): FilterValues {
  const found = FILTER_NAMES.map((name) => [name, first(search, name)])
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

type ReadPeriod = { period: Pick<LogFilters, 'from' | 'to'>; faults: FilterValues }

function readPreset(period: string, now: Date): ReadPeriod {
  const length = Object.hasOwn(PERIODS, period) ? PERIODS[period]?.length : undefined
  if (length) return { period: { from: new Date(now.getTime() - length).toISOString() }, faults: {} }
  return { period: {}, faults: { period: `Must be one of ${Object.keys(PERIODS).join(', ')}.` } }
}

/** Parses the form's period and returns its errors. A bound with an error is left out. */
function readPeriod({ period, from, to }: FilterValues, now: Date): ReadPeriod {
  if (period && !from && !to) return readPreset(period, now)
  const since = from === undefined ? undefined : momentOf(from)
  const until = to === undefined ? undefined : momentOf(to)
  const faults: FilterValues = {}
  if (from && !since) faults.from = MOMENT_FAULT
  if (to && !until) faults.to = MOMENT_FAULT
  if (since && until && since >= until) faults.to = 'Must be after From.'
  return { period: { ...(since && { from: since }), ...(until && !faults.to && { to: until }) }, faults }
}

/** A day of the contractor as a range of the log: its moments, without an end while it lasts. */
export type LogDay = { name: 'Today' | 'Yesterday'; from: string; to?: string }

/** The log's URL with a day as its range. */
export const onDay = ({ period: _, to: __, ...values }: FilterValues, { from, to }: LogDay): string =>
  logHref({ ...values, from, ...(to && { to }) })

/** The day that is the range of the log. */
export const dayShown = ({ from, to }: FilterValues, days: readonly LogDay[]): LogDay | undefined =>
  days.find((day) => day.from === from && day.to === to)

/** The log's URL with another preset range; undefined for no range. */
export const inPeriod = (
  { from: _, to: __, period: ___, ...values }: FilterValues,
  period: string | undefined,
): string => logHref({ ...values, ...(period && { period }) })

/** Parses the log's query: the filters it sets, the values the form shows, and an error for each unusable field. */
export function readFilters(search: Search, now = new Date()): ReadFilters {
  const values = readValues(search)
  const { status, path, key, method, endpoint, address, id } = values
  const { period, faults } = readPeriod(values, now)
  const statuses = status === undefined ? {} : readStatus(status)
  const [, uuid] = UUID.exec(id ?? '') ?? []
  if (!statuses) faults.status = 'A status such as 404, a class such as 4xx, failed or limited.'
  if (id && !uuid) faults.id = 'Enter `req_` and a UUID, as in the X-Request-Id header.'
  const filters = {
    ...statuses,
    ...(path && { path }),
    ...(key && { keyId: key }),
    ...(method && { method: method.toUpperCase() }),
    ...(endpoint && { endpoint }),
    ...(address && { address: address.toLowerCase() }),
    ...period,
  }
  const requestId = uuid ? `req_${uuid.toLowerCase()}` : undefined
  const [before, after] = [first(search, 'before'), first(search, 'after')]
  return { values, filters, requestId, faults, place: { ...(before && { before }), ...(after && { after }) } }
}

/** Returns the log's URL with these filters, without empty ones, at a position in the list. */
export function logHref(values: FilterValues, place: PagePlace = {}): string {
  const wanted = FILTER_NAMES.flatMap((name) => (values[name] ? [[name, values[name]]] : []))
  const query = new URLSearchParams([...wanted, ...Object.entries(place)])
  return query.size === 0 ? '/logs' : `/logs?${query}`
}

/** The selected time range in words. */
export function periodWords(values: FilterValues, days: readonly LogDay[]): string {
  const { period, from, to } = values
  const day = dayShown(values, days)
  if (day) return day.name
  if (from || to) return [from && `From ${from}`, to && `before ${to}`].filter(Boolean).join(' ')
  return period === '1h' ? 'Last hour' : `Last ${PERIODS[period ?? '24h']?.words ?? '24 hours'}`
}

/** The filters as a URL's query string, without the question mark. */
export const queryText = (values: FilterValues): string => logHref(values).split('?')[1] ?? ''

/** Reports whether a query has empty parameters, as an untouched form sends them. */
export const hasEmptyParts = (search: Search): boolean =>
  FILTER_NAMES.some((name) => search[name] !== undefined && first(search, name) === undefined)
