import { slicer } from '@/lib/core/slices'
import { type Changes, ConnectorFault, type Incoming, type Page, type Session } from '../connector'
import { type Answered, faultText, request, TooLong } from './http'
import { incomingOf } from './incoming'
import { places } from './places'
import { BareMethod, CdcAnswer, CompanyAnswer, type Entity, PaymentMethod, QueryAnswer, read, SHAPES } from './shapes'

/** The version of Intuit's shapes that is asked for. */
const MINOR_VERSION = '75'
/** The most objects of one answer, of queries and of changes. */
export const MOST_OBJECTS = 1_000
/** A page of fewer is asked for where a whole one is too long; below that the answer makes no sense. */
const LEAST_OBJECTS = 25
/** The number of ids in one query, limited because a query is a part of an address. */
const IDS_AT_ONCE = 30

const isEntity = (name: string): name is Entity => Object.hasOwn(SHAPES, name)

/** Lists of Intuit's, which leave out inactive names unless they are asked for. */
const activeToo = (entity: string, and = '') =>
  entity === 'Customer' || entity === 'PaymentMethod'
    ? ` where ${and}Active in (true, false)`
    : and && ` where ${and.replace(/ and $/, '')}`

/** Returns the fault that an unsuccessful answer means. */
function faultOf({ status, body }: Answered): ConnectorFault {
  const said = faultText(body)
  if (status === 401)
    return new ConnectorFault('reconnect', 'QuickBooks refuses the connection’s token. Connect again.')
  if (status === 403)
    return new ConnectorFault(
      'refused',
      `QuickBooks does not let this connection read these books${said ? `: ${said}` : ''}. Connect again as one of their administrators.`,
    )
  return new ConnectorFault(
    'refused',
    `QuickBooks refuses a request (${status})${said ? `: ${said}` : ''}. It is tried again by itself.`,
  )
}

/** Asks the API with a token that works; one that is refused is renewed once. @throws ConnectorFault; TooLong */
async function get(session: Session, path: string, query: Record<string, string>): Promise<unknown> {
  const url = new URL(`${places().api}/v3/company/${encodeURIComponent(session.company)}/${path}`)
  url.search = new URLSearchParams({ ...query, minorversion: MINOR_VERSION }).toString()
  let token = await session.token()
  for (let isSecond = false; ; isSecond = true) {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const answer = await request(url.href, { headers, signal: session.signal })
    if (answer.status === 200) return answer.body
    if (answer.status !== 401 || isSecond) throw faultOf(answer)
    token = await session.token(token)
  }
}

/** The names of the company's payment methods, by their ids: asked for once in a run. */
function methodsOf(session: Session): Promise<ReadonlyMap<string, string>> {
  const asked = session.names.get('PaymentMethod') ?? askMethods(session)
  session.names.set('PaymentMethod', asked)
  return asked
}

async function askMethods(session: Session): Promise<ReadonlyMap<string, string>> {
  const text = `select * from PaymentMethod${activeToo('PaymentMethod')} maxresults ${MOST_OBJECTS}`
  const found = (await query(session, 'PaymentMethod', text)).map((object) =>
    read(PaymentMethod, object, `PaymentMethod ${idOf(object) ?? 'without an Id'}`),
  )
  return new Map(found.map(({ Id, Name }) => [Id, Name]))
}

/** Reads objects of an answer, in slices that let requests run: all of them, before any is written. */
async function readObjects(session: Session, entity: Entity, objects: unknown[]): Promise<Incoming[]> {
  const items: Incoming[] = []
  let methods: ReadonlyMap<string, string> | undefined
  const breathe = slicer()
  for (const object of objects) {
    await breathe()
    if (methods === undefined && BareMethod.safeParse(object).success) methods = await methodsOf(session)
    items.push(...incomingOf(entity, object, methods))
  }
  return items
}

const idOf = (object: unknown): string | null =>
  typeof object === 'object' && object !== null && 'Id' in object && typeof object.Id === 'string' ? object.Id : null

/** The list of an entity in an answer, where there is one. */
function listOf(response: Record<string, unknown>, entity: string): unknown[] {
  const found = response[entity]
  if (found === undefined) return []
  if (Array.isArray(found)) return found
  throw new ConnectorFault(
    'shape',
    `QuickBooks answers in a form that this version does not know: ${entity} must be a list. Nothing of this answer was written.`,
  )
}

async function query(session: Session, entity: Entity | 'PaymentMethod', text: string): Promise<unknown[]> {
  const answer = read(QueryAnswer, await get(session, 'query', { query: text }), `The query of ${entity}`)
  return listOf(answer.QueryResponse, entity)
}

/** A page of a walk over all objects of an entity, in the order of their ids. The last object of a page is the first of the next. */
export async function page(session: Session, entity: string, position: number): Promise<Page> {
  if (!isEntity(entity)) throw new Error(`${entity} is not read`)
  for (let most = MOST_OBJECTS; ; most = Math.floor(most / 2)) {
    try {
      const text = `select * from ${entity}${activeToo(entity)} orderby Id startposition ${position} maxresults ${most}`
      const objects = await query(session, entity, text)
      const items = await readObjects(session, entity, objects)
      const next = objects.length < most ? null : position + objects.length - 1
      return { items, read: objects.length, first: idOf(objects[0]), last: idOf(objects.at(-1)), next }
    } catch (error) {
      if (!(error instanceof TooLong) || most <= LEAST_OBJECTS) throw error
    }
  }
}

/** Objects by their ids; those that are gone are left out. */
export async function find(session: Session, entity: string, ids: string[]): Promise<Incoming[]> {
  if (!isEntity(entity)) return []
  const found: Incoming[] = []
  const safe = ids.filter((id) => /^[\w-]{1,50}$/.test(id))
  for (let i = 0; i < safe.length; i += IDS_AT_ONCE) {
    const list = safe.slice(i, i + IDS_AT_ONCE).map((id) => `'${id}'`)
    const text = `select * from ${entity}${activeToo(entity, `Id in (${list.join(', ')}) and `)} maxresults ${MOST_OBJECTS}`
    found.push(...(await readObjects(session, entity, await query(session, entity, text))))
  }
  return found
}

/** Returns what changed since a moment; undefined when an answer is as long as they get, because then it may not have everything. */
export async function changes(session: Session, since: Date): Promise<Changes | undefined> {
  const entities = Object.keys(SHAPES).filter(isEntity)
  let body: unknown
  try {
    body = await get(session, 'cdc', { entities: entities.join(','), changedSince: since.toISOString() })
  } catch (error) {
    if (error instanceof TooLong) return undefined
    throw error
  }
  const answer = read(CdcAnswer, body, 'The changes')
  const lists = answer.CDCResponse.flatMap(({ QueryResponse }) => QueryResponse)
  const items: Incoming[] = []
  let count = 0
  for (const entity of entities)
    for (const response of lists) {
      const objects = listOf(response, entity)
      count += objects.length
      items.push(...(await readObjects(session, entity, objects)))
    }
  const time = new Date(answer.time)
  if (Number.isNaN(time.getTime()))
    throw new ConnectorFault(
      'shape',
      'QuickBooks answers in a form that this version does not know: The changes, time is no time. Nothing of this answer was written.',
    )
  return count >= MOST_OBJECTS ? undefined : { items, read: count, time }
}

/** Returns the company's name. */
export async function companyName(session: Session): Promise<string | null> {
  const path = `companyinfo/${encodeURIComponent(session.company)}`
  return read(CompanyAnswer, await get(session, path, {}), 'The company').CompanyInfo.CompanyName.slice(0, 200)
}
