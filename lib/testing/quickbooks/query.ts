import type { TestCompany, Thing } from './company'

/** A refusal as Intuit words it. */
export class QueryFault extends Error {}

type Condition = (thing: Thing) => boolean

const fieldOf = (thing: Thing, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, key) => (at !== null && typeof at === 'object' ? Reflect.get(at, key) : undefined), thing)

const literal = (text: string) => text.trim().replace(/^'(.*)'$/, '$1')

function compared(found: unknown, wanted: string): number {
  const a = typeof found === 'number' ? found : String(found)
  const b = typeof found === 'number' ? Number(wanted) : wanted
  if (typeof found === 'string' && /^\d{4}-\d\d-\d\dT/.test(found)) return Date.parse(found) - Date.parse(wanted)
  return a < b ? -1 : a > b ? 1 : 0
}

function conditionOf(text: string): Condition {
  const list = /^(\S+) in \((.*)\)$/i.exec(text)
  if (list) {
    const wanted = (list[2] ?? '').split(',').map(literal)
    return (thing) => wanted.includes(String(fieldOf(thing, list[1] ?? '')))
  }
  const [, field = '', operator = '', value = ''] = /^(\S+) (=|>=|<=|>|<) (.+)$/.exec(text) ?? []
  if (field === '') throw new QueryFault(`QueryParserError: Encountered "${text}"`)
  const wanted = literal(value)
  const holds: Record<string, (n: number) => boolean> = {
    '=': (n) => n === 0,
    '>=': (n) => n >= 0,
    '<=': (n) => n <= 0,
    '>': (n) => n > 0,
    '<': (n) => n < 0,
  }
  return (thing) => holds[operator]?.(compared(fieldOf(thing, field), wanted)) ?? false
}

/** Answers a query of the subset that Intuit documents: one entity, conditions joined by `and`, an order, a place and a size. */
export function answerQuery(company: TestCompany, text: string): Record<string, unknown> {
  const parsed =
    /^select (\*|count\(\*\)) from (\w+)(?: where (.+?))?(?: orderby (\S+)(?: (asc|desc))?)?(?: startposition (\d+))?(?: maxresults (\d+))?$/i.exec(
      text,
    )
  if (!parsed) throw new QueryFault('QueryParserError: Encountered an unexpected token')
  const [, what = '*', entity = '', where, order, direction, position = '1', most = '100'] = parsed
  if (Number(most) > 1000) throw new QueryFault('QueryValidationError: maxresults is larger than 1000')
  const conditions = where ? where.split(/ and (?![^(]*\))/i).map(conditionOf) : []
  // Lists leave inactive names out, unless somebody asks for them.
  if (['Customer', 'PaymentMethod'].includes(entity) && !/\bActive\b/.test(where ?? ''))
    conditions.push(({ Active }) => Active !== false)
  const all = [...company.of(entity).values()].filter((thing) => conditions.every((holds) => holds(thing)))
  if (what !== '*') return { totalCount: all.length }
  if (order)
    all.sort(
      (a, b) => compared(fieldOf(a, order), String(fieldOf(b, order))) * (direction?.toLowerCase() === 'desc' ? -1 : 1),
    )
  const begin = Number(position) - 1
  const found = all.slice(begin, begin + Number(most))
  return found.length === 0 ? {} : { [entity]: found, startPosition: begin + 1, maxResults: found.length }
}

const WINDOW_MS = 30 * 86_400_000
const MOST = 1_000

/** Answers what changed since a moment: whole objects, and of deleted ones their ids; a thousand at most. */
export function answerChanges(
  company: TestCompany,
  entities: string[],
  since: Date,
  now: Date,
): Record<string, unknown>[] {
  if (Number.isNaN(since.getTime())) throw new QueryFault('Invalid changedSince')
  if (now.getTime() - since.getTime() > WINDOW_MS) throw new QueryFault('changedSince is more than 30 days ago')
  let left = MOST
  return entities.map((entity) => {
    const changed = [...company.of(entity).values()].filter(
      ({ MetaData }) => Date.parse(MetaData.LastUpdatedTime) >= since.getTime(),
    )
    const gone = company.deleted
      .filter((each) => each.entity === entity && Date.parse(each.at) >= since.getTime())
      .map(({ id, at }) => ({ domain: 'QBO', status: 'Deleted', Id: id, MetaData: { LastUpdatedTime: at } }))
    const found = [...changed, ...gone].slice(0, left)
    left -= found.length
    return found.length === 0 ? {} : { [entity]: found, startPosition: 1, maxResults: found.length }
  })
}
