import { actorFor, currentSession } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { portalRoute } from '@/app/session/portal-route'
import { cleanText } from '@/lib/core/clean'
import { phoneText } from '@/lib/core/contact'
import { env } from '@/lib/core/env'
import { findGuides } from '@/lib/guides/find'
import { execute } from '@/lib/operations/execute'
import { findRecords } from '@/lib/operations/search/find-records'
import { type Found, SHORTEST_SEARCH } from '@/lib/portal/palette'
import { RESOURCES } from '@/lib/resources/registry'

const MOST_RECORDS = 8
const LONGEST = 200
const PHONE = /^\+\d{7,15}$/

/** Returns the path of a record's page. A lead has the page of its project. */
function hrefOf(type: string, id: string): string {
  if (type === 'request') return `/logs/${id}`
  const resource = RESOURCES.find(({ singular }) => singular === (type === 'lead' ? 'project' : type))
  return `/${resource?.name}/${encodeURIComponent(id)}`
}

async function recordsFor(query: string): Promise<Found[]> {
  const session = await currentSession()
  if (!session?.current) return []
  const [actor, { country }] = await Promise.all([actorFor(session, session.current), desk()])
  const { hits } = await execute(findRecords, { actor, now: new Date() }, { query, limit: MOST_RECORDS })
  return hits.map(({ type, id, title, facts }) => ({
    href: hrefOf(type, id),
    name: cleanText(title),
    about: cleanText(facts.map(({ value }) => (PHONE.test(value) ? phoneText(value, country) : value)).join(' · ')),
    kind: type,
  }))
}

async function find(given: URLSearchParams): Promise<{ items: Found[] }> {
  const query = (given.get('q') ?? '').trim().slice(0, LONGEST)
  if (query.length < SHORTEST_SEARCH) return { items: [] }
  const guides = findGuides(query, env()).map(({ href, title, section }) => ({
    href,
    name: title,
    about: section,
    kind: 'guide',
  }))
  return { items: [...(await recordsFor(query)), ...guides] }
}

/** GET /find: search results for the palette. Records need a signed-in user; guides are public. */
export const GET = portalRoute(find)
